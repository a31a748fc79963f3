import type { Tenant } from '#kernel/environment.ts';
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
