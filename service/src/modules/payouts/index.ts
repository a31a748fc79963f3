export { fillPayouts } from './fill-and-close.ts';
export { payoutJobs, payoutsDue } from './jobs.ts';
export { payoutLifecycle } from './payout.ts';
export { recordPayoutReport } from './record-payout-report.ts';
export { lineTypeOf, merchantRoutes } from './routes.ts';
export { type ListedMatch, listExportedMatches } from './store/list-payouts.ts';
export { closeDueAt, stuckPayouts } from './store/payouts.ts';
