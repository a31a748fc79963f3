// What arrives on the collecting account

export { recordCredits } from './credits.ts';

// Shown and matched by an operator, by command and by API

export { listCredits, matchByOperator, operatorRoutes } from './operator-routes.ts';

// What other statements ask before money leaves

export { isPaymentHeldSql, isPayoutHeldSql } from './store/held-payments.ts';

// Work without a caller

export { creditJobs, creditsDue } from './jobs.ts';
export { hurryCredit, matchDueAt, stuckCredits } from './store/credits.ts';
export { hurryDebit, reverseDueAt } from './store/debits.ts';
