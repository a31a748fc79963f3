export { approvalLifecycle } from './approvals/approvals.ts';
export { type Refund, refundAccountContext, refundLifecycle, refundTypeOf } from './core/refund.ts';
export { readRefundsOf } from './core/store/read-refunds.ts';
export { type RefundJobTools, refundJobs, refundsDue } from './jobs.ts';
export { followCardRefund } from './outgoing/card-refunds.ts';
export { recordTransferReport } from './outgoing/record-transfer-report.ts';
export { handOverDueAt, pollDueAt, stuckRefunds } from './outgoing/store.ts';
export { enterRefundAccount } from './requests/enter-refund-account.ts';
export { memberRoutes, merchantRoutes, operatorRoutes } from './routes.ts';
export { countOpenCardRefunds } from './store.ts';

// What a new master key encrypts again

export { encryptedColumns } from './core/refund.ts';
