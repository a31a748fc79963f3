import { noticeRoutes } from './bank-notices.ts';
import { operatorCommands } from './commands.ts';
import { encryptedColumns } from './encrypted-columns.ts';
import { jobsOfTransfers } from './jobs.ts';
import { operatorRoutes } from './operator-routes.ts';
import { noticeDueAt } from './store/bank-messages.ts';
import { submitDueAt } from './store/batches.ts';

// What the programs mount

export const transfersModule = {
  name: 'transfers',
  migrations: ['0015_credits_and_transfers.sql'],
  operatorRoutes: [operatorRoutes],
  railCalls: [noticeRoutes],
  jobs: [jobsOfTransfers],
  dueAt: {
    submitTransfers: submitDueAt,
    readSandboxMessages: noticeDueAt('SANDBOX'),
    readProductionMessages: noticeDueAt('PRODUCTION'),
  },
  operatorCommands,
  encryptedColumns,
};

export { differencePostings } from './book-differences.ts';
export { type TransferJobTools, transferJobs } from './jobs.ts';
export { reconcileBalances } from './reconcile-balances.ts';
export type {
  ReportEffect,
  ReportReceiver,
  ReportReceivers,
  TransferReport,
} from './report-transfers.ts';
export { hurryBatch, readTurn, stuckTransfers } from './store/batches.ts';
export {
  type BatchDraft,
  creditorContext,
  draftBatch,
  type EndedTransfer,
  endedValue,
  endTransfersCtes,
  isUnattachedSql,
  looseCte,
  openPayoutSql,
  orderTransfersCtes,
  payableCtes,
  settlementAccountSql,
  type TransferOrder,
  type TransferOutcome,
  transferValues,
} from './store/order-transfers.ts';
export { ownFolder } from './store/transfer-folder.ts';
export { type TransferRails, transferRails } from './submit-batches.ts';
export { takeMessageAgain } from './take-messages-again.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';
