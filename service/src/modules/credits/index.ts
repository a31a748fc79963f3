// What arrives on the collecting account

export { recordCredits } from './record-credits.ts';

// Shown and matched by an operator, by command and by API

export { listCredits, matchByOperator, operatorRoutes } from './operator-routes.ts';

// Work without a caller

export { creditsDue } from './credits-due.ts';
export { creditJobs } from './jobs.ts';
export { matchDueAt, stuckCredits } from './store/credits.ts';
export { reverseDueAt } from './store/debits.ts';
