import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { addUpMoneyDays } from './count-money-days.ts';
import { statementJobs } from './monthly-statement.ts';
import { mailMembers } from './notifications.ts';
import { pruneHours } from './webhooks.ts';

const addUpEveryMs = 60_000;

/** Safe to run anywhere, any number of times. */
export const dashboardJobs = (
  tools: Uses<'database' | 'clock' | 'log'> & { readonly dashboardUrl: string },
): readonly Job[] => [
  { name: 'addUpMoneyDays', everyMs: addUpEveryMs, run: () => addUpMoneyDays(tools) },
  pruneHours(tools),
  ...mailMembers(tools),
  ...statementJobs(tools),
];
