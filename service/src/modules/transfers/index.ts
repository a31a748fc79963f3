export { differencePostings } from './book-differences.ts';
export { type BatchDraft, creditorContext, draftBatch, type TransferOrder } from './draft-batch.ts';
export { type TransferJobTools, transferJobs } from './jobs.ts';
export { listBankMessages } from './list-bank-messages.ts';
export { noticeRoutes } from './notice-routes.ts';
export { operatorRoutes } from './operator-routes.ts';
export { reconcileBalances } from './reconcile-balances.ts';
export { noticeDueAt } from './store/bank-notices.ts';
export { submitDueAt } from './store/batches.ts';
export {
  type EndedTransfer,
  endedValue,
  endTransfersCtes,
  orderTransfersCtes,
  type TransferOutcome,
  transferValues,
} from './store/order-transfers-ctes.ts';
export {
  isUnattachedSql,
  looseCte,
  payableCtes,
  settlementAccountSql,
} from './store/payable-ctes.ts';
export { readTurn } from './store/read-turn.ts';
export { hurryBatch, stuckTransfers } from './store/stuck-transfers.ts';
export { type TransferRails, transferRails } from './transfer-rails.ts';
export type {
  ReportEffect,
  ReportReceiver,
  ReportReceivers,
  TransferReport,
} from './transfer-report.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';
