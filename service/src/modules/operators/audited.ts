import type { Environment } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { insertAuditOutcome, insertAuditRecord } from './store/audit-records.ts';

export type AuditRecord = {
  readonly channel: 'API' | 'COMMAND' | 'DASHBOARD';
  /** Who: the name of an operator secret or a person, or a user of the operating system. */
  readonly actor: string;
  readonly operatorSecretId: string | null;
  readonly personId: string | null;
  /** From where. */
  readonly address: string;
  /** What: the operation or the command. */
  readonly action: string;
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly detail: Readonly<Record<string, unknown>>;
};

type AuditTools = Uses<'database' | 'ids' | 'log'>;

/** Runs what an operator wants, with a record before it and its outcome after it: no record, no run. */
export const audited = async <Result>(
  tools: AuditTools,
  { detail, ...record }: AuditRecord,
  run: () => Promise<Result>,
): Promise<Result> => {
  const recordId = tools.ids.uuid();
  const values = { ...record, recordId, detail: JSON.stringify(detail) };
  await tools.database.system(insertAuditRecord, values);
  try {
    const result = await run();
    await recordOutcome(tools, recordId, 'DONE');
    return result;
  } catch (error) {
    const outcome = error instanceof Failure ? error.definition.name : 'FAILED';
    await recordOutcome(tools, recordId, outcome);
    throw error;
  }
};

/** What was done stays done if this fails: the record without an outcome says that it was started. */
const recordOutcome = async (
  { database, log }: AuditTools,
  recordId: string,
  outcome: string,
): Promise<void> => {
  try {
    await database.system(insertAuditOutcome, { recordId, outcome });
  } catch (error) {
    log.error({ recordId, outcome, error: (error as Error).message }, 'an audit outcome is lost');
  }
};
