import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { foldCounts } from './store/fold-counts.ts';

const foldManyEveryMs = 5_000;
const foldAllEveryMs = 60_000;
// A reader adds up that many in no time; folding them one payment after another is a commit each.
const many = 200;
const maxDays = 100;

/** Safe to run anywhere, any number of times. */
export const searchJobs = ({ database }: Uses<'database'>): readonly Job[] => {
  const fold = (minRows: number) => async (): Promise<number> => {
    await foldCounts(database, { maxDays, minRows });
    // Payments go on adding counts: the next round waits all the same.
    return 0;
  };
  return [
    { name: 'foldManyTransactionCounts', everyMs: foldManyEveryMs, run: fold(many) },
    { name: 'foldTransactionCounts', everyMs: foldAllEveryMs, run: fold(1) },
  ];
};
