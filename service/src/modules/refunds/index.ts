export { refundLifecycle } from './core/change-refunds.ts';
export {
  encryptedColumns,
  type Refund,
  refundAccountContext,
  refundTypeOf,
} from './core/refund.ts';
export { readRefundsOf } from './core/store/read-refunds.ts';
export { refundJobs, refundsDue } from './jobs.ts';
export { followCardRefund } from './outgoing/card-refunds.ts';
export { recordTransferReport } from './outgoing/record-transfer-report.ts';
export { countOpenCardRefunds, handOverDueAt, pollDueAt, stuckRefunds } from './outgoing/store.ts';
export { approvalLifecycle } from './requests/approvals.ts';
export { enterRefundAccount } from './requests/enter-refund-account.ts';
export { memberRoutes, merchantRoutes, operatorRoutes } from './routes.ts';
