export { approvalLifecycle } from './approvals/approval-lifecycle.ts';
export { type Refund, refundTypeOf } from './core/refund.ts';
export { refundAccountContext } from './core/refund-account-context.ts';
export { refundLifecycle } from './core/refund-lifecycle.ts';
export { readRefundsOf } from './core/store/read-refunds.ts';
export { type RefundJobTools, refundJobs } from './jobs.ts';
export { memberRoutes } from './member-routes.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { operatorRoutes } from './operator-routes.ts';
export { followCardRefund } from './outgoing/poll-card-refund.ts';
export { recordTransferReport } from './outgoing/record-transfer-report.ts';
export { handOverDueAt, pollDueAt } from './outgoing/store/outgoing.ts';
export { stuckRefunds } from './outgoing/store/stuck-refunds.ts';
export { refundsDue } from './refunds-due.ts';
export { enterRefundAccount } from './requests/enter-refund-account.ts';
export { countOpenCardRefunds } from './store/count-open-card-refunds.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';
