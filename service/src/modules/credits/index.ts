// What arrives on the collecting account

export { recordCredits } from './record-credits.ts';

// Shown and matched by an operator, by command and by API

export { listCredits } from './list-credits.ts';
export { matchByOperator } from './match-by-operator.ts';
export { operatorRoutes } from './operator-routes.ts';

// Work without a caller

export { creditJobs } from './jobs.ts';
export { matchDueAt } from './store/credits.ts';
export { reverseDueAt } from './store/debits.ts';
export { stuckCredits } from './store/stuck-credits.ts';
