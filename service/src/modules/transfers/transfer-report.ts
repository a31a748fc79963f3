import { failures } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { TransferRail, TransferReason } from '#rails/transfer-rail.ts';

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

/** The rail to the bank of the collecting account, for each environment. */
export type TransferRails = {
  readonly find: (environment: Environment) => TransferRail | null;
  /** Refuses with the setting that is missing. */
  readonly need: (environment: Environment) => TransferRail;
};

export const transferRails = (
  find: TransferRails['find'],
  settingOf: Readonly<Record<Environment, string>>,
): TransferRails => ({
  find,
  need: (environment) => {
    const rail = find(environment);
    if (rail) return rail;
    throw new Failure(failures.railNotConfigured, {
      message:
        `No transfer rail is configured for ${environment.toLowerCase()}: ` +
        `set ${settingOf[environment]}.`,
    });
  },
});
