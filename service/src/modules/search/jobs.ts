import { type Job, throttle } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { foldCounts } from './store/fold-counts.ts';

const foldEveryMs = 5_000;
const maxDays = 100;

/** Safe to run anywhere, any number of times. */
export const searchJobs = ({ database }: Uses<'database'>): readonly Job[] => [
  {
    name: 'foldTransactionCounts',
    run: throttle(foldEveryMs, async () => {
      await foldCounts(database, maxDays);
      // Payments go on adding counts: the next round waits all the same.
      return 0;
    }),
  },
];
