import { limits } from '@florin/contract';
import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { addUpMoneyDays } from './money.ts';
import { mailMembers } from './notifications.ts';
import { pruneWebhookHours } from './store/deliveries.ts';

const addUpEveryMs = 60_000;
const pruneEveryMs = 10 * 60_000;
const maxPruned = 1_000;

/** Safe to run anywhere, any number of times. */
export const dashboardJobs = (tools: Uses<'database' | 'clock' | 'log'>): readonly Job[] => [
  { name: 'addUpMoneyDays', everyMs: addUpEveryMs, run: () => addUpMoneyDays(tools) },
  { name: 'pruneWebhookHours', everyMs: pruneEveryMs, run: () => pruneHours(tools) },
  ...mailMembers(tools),
];

const pruneHours = async ({ database }: Uses<'database'>): Promise<number> => {
  const retentionDays = limits.webhookHourRetentionDays;
  return (await database.system(pruneWebhookHours, { retentionDays, limit: maxPruned })).length;
};
