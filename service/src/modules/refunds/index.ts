export { enterRefundAccount } from './enter-refund-account.ts';
export { type RefundJobTools, refundJobs } from './jobs.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { operatorRoutes } from './operator-routes.ts';
export { followCardRefund } from './poll-card-refund.ts';
export { recordTransferReport } from './record-transfer-report.ts';
export { type Refund, refundTypeOf } from './refund.ts';
export { refundAccountContext } from './refund-account-context.ts';
export { refundLifecycle } from './refund-lifecycle.ts';
export { refundsDue } from './refunds-due.ts';
export { countOpenCardRefunds } from './store/count-open-card-refunds.ts';
export { readRefundsOf } from './store/read-refunds.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';
