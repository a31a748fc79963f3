export { noticeRoutes } from './bank-notices.ts';
export { differencePostings } from './book-differences.ts';
export { type TransferJobTools, transferJobs } from './jobs.ts';
export { listBankMessages, operatorRoutes } from './operator-routes.ts';
export { reconcileBalances } from './reconcile-balances.ts';
export type {
  ReportEffect,
  ReportReceiver,
  ReportReceivers,
  TransferReport,
} from './report-transfers.ts';
export { noticeDueAt } from './store/bank-messages.ts';
export { hurryBatch, readTurn, stuckTransfers, submitDueAt } from './store/batches.ts';
export {
  type BatchDraft,
  creditorContext,
  draftBatch,
  type EndedTransfer,
  endedValue,
  endTransfersCtes,
  isUnattachedSql,
  looseCte,
  orderTransfersCtes,
  payableCtes,
  settlementAccountSql,
  type TransferOrder,
  type TransferOutcome,
  transferValues,
} from './store/order-transfers.ts';
export { type TransferRails, transferRails } from './submit-batches.ts';
export { takeMessageAgain } from './take-messages-again.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';
