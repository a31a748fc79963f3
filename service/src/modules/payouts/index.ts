export { fillPayouts } from './close-payout.ts';
export { payoutJobs, payoutsDue } from './jobs.ts';
export { merchantRoutes } from './list-payouts.ts';
export { lineTypeOf, payoutLifecycle } from './payout.ts';
export { recordPayoutReport } from './report-change.ts';
export { type ListedMatch, listExportedMatches } from './store/list-payouts.ts';
export { closeDueAt, stuckPayouts } from './store/payouts.ts';
