import { limits } from '@florin/contract';
import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { pruneSessions } from './store/sessions.ts';

const pruneEveryMs = 10 * 60 * 1000;
const prunedAtOnce = 2_000;

/** Safe to run anywhere, any number of times. */
export const sessionJobs = ({ database }: Uses<'database'>): readonly Job[] => [
  {
    name: 'pruneSessions',
    everyMs: pruneEveryMs,
    run: async () => {
      const values = { limit: prunedAtOnce, inviteDays: limits.inviteRetentionDays };
      const [row] = await database.system(pruneSessions, values);
      return Number(row?.pruned ?? 0);
    },
  },
];
