import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import type { Act, Detail } from './act.ts';
import { appendRecord } from './append-record.ts';

export type AuditTools = Uses<'database' | 'ids' | 'log'>;

/** Runs an act, with a record before it and its outcome after it: no record, no run. */
export const audited = async <Result>(
  tools: AuditTools,
  act: Act,
  run: () => Promise<Result>,
  detailOf: (result: Result) => Detail = () => ({}),
): Promise<Result> => {
  const end = await beginAct(tools, act);
  try {
    const result = await run();
    await end('DONE', detailOf(result));
    return result;
  } catch (error) {
    await end(outcomeOf(error));
    throw error;
  }
};

export type EndAct = (outcome: string, detail?: Detail) => Promise<void>;

/** Records an act that begins now; answers what records its outcome. */
export const beginAct = async (tools: AuditTools, act: Act): Promise<EndAct> => {
  const recordId = tools.ids.uuid();
  await appendRecord(tools.database, { ...act, kind: 'ACT', recordId, outcome: null });
  const { merchantId } = act;
  return async (outcome, detail = {}) => {
    const record = { kind: 'OUTCOME', recordId, merchantId, detail, outcome } as const;
    // What was done stays done if this fails: the record without an outcome says that it was started.
    await appendRecord(tools.database, record).catch((error: Error) => {
      tools.log.error({ recordId, outcome, error: error.message }, 'an audit outcome is lost');
    });
  };
};

/** An act that was refused before it began is one record. */
export const recordRefusal = ({ database, ids }: AuditTools, act: Act, error: unknown) => {
  const outcome = outcomeOf(error);
  return appendRecord(database, { ...act, kind: 'ACT', recordId: ids.uuid(), outcome });
};

/** The name of the failure. */
export const outcomeOf = (error: unknown): string =>
  error instanceof Failure ? error.definition.name : 'FAILED';

/** What a check throws, so that it is recorded first; null: nothing. */
export const caught = (check: () => void): { readonly error: unknown } | null => {
  try {
    check();
    return null;
  } catch (error) {
    return { error };
  }
};
