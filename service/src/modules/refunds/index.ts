import { operatorCommands } from './commands.ts';
import { encryptedColumns } from './core/refund.ts';
import { jobsOfRefunds, refundsDue } from './jobs.ts';
import { handOverDueAt, pollDueAt } from './outgoing/store.ts';
import { memberRoutes, merchantRoutes, operatorRoutes } from './routes.ts';

// What the programs mount

export const refundsModule = {
  name: 'refunds',
  migrations: ['0016_refunds.sql'],
  routes: [merchantRoutes, memberRoutes],
  operatorRoutes: [operatorRoutes],
  jobs: [jobsOfRefunds],
  dueAt: { handOverRefunds: handOverDueAt, pollRefunds: pollDueAt },
  dueSource: refundsDue,
  operatorCommands,
  encryptedColumns,
};

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
export { countOpenCardRefunds, stuckRefunds } from './outgoing/store.ts';
export { approvalLifecycle } from './requests/approvals.ts';
export { enterRefundAccount } from './requests/enter-refund-account.ts';
export { merchantRoutes } from './routes.ts';
