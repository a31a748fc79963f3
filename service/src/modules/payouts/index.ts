import { jobsOfPayouts, payoutsDue } from './jobs.ts';
import { merchantRoutes } from './routes.ts';
import { closeDueAt } from './store/payouts.ts';

// What the programs mount

export const payoutsModule = {
  name: 'payouts',
  migrations: ['0017_payouts.sql'],
  routes: [merchantRoutes],
  jobs: [jobsOfPayouts],
  dueAt: { closePayouts: closeDueAt },
  dueSource: payoutsDue,
};

export { fillPayouts } from './fill-and-close.ts';
export { payoutJobs, payoutsDue } from './jobs.ts';
export { payoutLifecycle } from './payout.ts';
export { recordPayoutReport } from './record-payout-report.ts';
export { lineTypeOf } from './routes.ts';
export { type ListedMatch, listExportedMatches } from './store/list-payouts.ts';
export { stuckPayouts } from './store/payouts.ts';
