import type { Tenant } from '#kernel/environment.ts';
import { DatabaseUnavailable } from '#platform/database/database-unavailable.ts';
import type { TransferReason } from '#rails/transfer-rail.ts';

/**
 * The bank's report about one transfer. NOT_SENT: its batch was rejected because of another one.
 */
export type TransferReport = {
  readonly tenant: Tenant;
  readonly subject: TransferSubject;
  readonly subjectId: string;
  readonly endToEndId: string;
  readonly stage: 'IN_PROGRESS' | 'SETTLED' | 'REJECTED' | 'RETURNED' | 'NOT_SENT';
  readonly reason: TransferReason | null;
};

export type TransferSubject = 'REFUND' | 'PAYOUT';

/**
 * EXPECTED: it changed the subject, or repeats the recorded state. LATE: the subject had moved on
 * already, so the report had no effect.
 */
export type ReportEffect = 'EXPECTED' | 'LATE';

/**
 * The module that ordered the transfers: reports of one tenant, each about another subject, and their
 * effects in the same order. Called any number of times with the same reports.
 */
export type ReportReceiver = (
  tenant: Tenant,
  reports: readonly TransferReport[],
) => Promise<readonly ReportEffect[]>;

export type ReportReceivers = Readonly<Partial<Record<TransferSubject, ReportReceiver>>>;

const batchSize = 100;

/**
 * Gives each report to its receiver, in the order of the message for each subject. Those of one merchant
 * go together, so that a message costs a few statements, however many transfers it names.
 */
export const reportTransfers = async (
  receivers: ReportReceivers,
  reports: readonly TransferReport[],
): Promise<readonly ReportEffect[]> => {
  const effects: ReportEffect[] = [];
  const errors: unknown[] = [];
  for (let left = reports; left.length > 0; ) {
    const firsts = new Map<string, TransferReport>();
    for (const report of left)
      if (!firsts.has(report.subjectId)) firsts.set(report.subjectId, report);
    for (const batch of batchesOf([...firsts.values()]))
      effects.push(...(await give(receivers, batch, errors)));
    left = left.filter((report) => firsts.get(report.subjectId) !== report);
  }
  if (errors.length > 0) throw errors[0];
  return effects;
};

const batchesOf = (reports: readonly TransferReport[]): readonly (readonly TransferReport[])[] => {
  const groups = new Map<string, TransferReport[]>();
  for (const report of reports) {
    const group = `${report.subject} ${report.tenant.merchantId} ${report.tenant.environment}`;
    const own = groups.get(group);
    if (own) own.push(report);
    else groups.set(group, [report]);
  }
  return [...groups.values()].flatMap(inBatches);
};

const inBatches = (reports: readonly TransferReport[]): readonly (readonly TransferReport[])[] =>
  Array.from({ length: Math.ceil(reports.length / batchSize) }, (_, at) =>
    reports.slice(at * batchSize, (at + 1) * batchSize),
  );

/** One report that cannot be recorded keeps no other one from its effect. */
const give = async (
  receivers: ReportReceivers,
  batch: readonly TransferReport[],
  errors: unknown[],
): Promise<readonly ReportEffect[]> => {
  const [first, another] = batch;
  const receive = first && receivers[first.subject];
  if (!receive) return batch.map(() => 'EXPECTED');
  try {
    return await receive(first.tenant, batch);
  } catch (error) {
    if (!another || error instanceof DatabaseUnavailable) {
      errors.push(error);
      return [];
    }
    const effects: ReportEffect[] = [];
    for (const report of batch) effects.push(...(await give(receivers, [report], errors)));
    return effects;
  }
};
