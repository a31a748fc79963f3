export { payoutJobs } from './jobs.ts';
export { lineTypeOf } from './line-type-of.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { payoutLifecycle } from './payout-lifecycle.ts';
export { payoutsDue } from './payouts-due.ts';
export { recordPayoutReport } from './record-payout-report.ts';
export { type ListedMatch, listExportedMatches } from './store/list-payout-matches.ts';
export { closeDueAt } from './store/payouts.ts';
export { stuckPayouts } from './store/stuck-payouts.ts';
