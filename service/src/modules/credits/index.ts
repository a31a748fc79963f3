import { operatorCommands } from './commands.ts';
import { creditJobs, creditsDue } from './jobs.ts';
import { operatorRoutes } from './operator-routes.ts';
import { matchDueAt } from './store/credits.ts';
import { reverseDueAt } from './store/debits.ts';

// What the programs mount

export const creditsModule = {
  name: 'credits',
  operatorRoutes: [operatorRoutes],
  jobs: [creditJobs],
  dueAt: { matchCredits: matchDueAt, reverseCredits: reverseDueAt },
  dueSource: creditsDue,
  operatorCommands,
};

// What arrives on the collecting account

export { recordCredits } from './credits.ts';

// Shown and matched by an operator, by command and by API

export { operatorRoutes } from './operator-routes.ts';

// What other statements ask before money leaves

export { isPaymentHeldSql, isPayoutHeldSql } from './store/held-payments.ts';

// Work without a caller

export { creditJobs } from './jobs.ts';
export { hurryCredit, stuckCredits } from './store/credits.ts';
export { hurryDebit } from './store/debits.ts';
