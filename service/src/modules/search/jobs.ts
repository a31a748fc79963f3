import type { Job } from '#platform/jobs.ts';
import { runTogether } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { findLooseDays, foldCounts } from './store/count-words.ts';

type JobTools = Uses<'database' | 'log'>;

const foldManyEveryMs = 5_000;
const foldAllEveryMs = 60_000;
// A reader adds up that many in no time; folding them one payment after another is a commit each.
const many = 200;
const maxDays = 100;

/** Safe to run anywhere, any number of times. */
export const searchJobs = (tools: JobTools): readonly Job[] => {
  const fold = (minRows: number) => async (): Promise<number> => {
    await foldDays(tools, minRows);
    // Payments go on adding counts: the next round waits all the same.
    return 0;
  };
  return [
    { name: 'foldManyTransactionCounts', everyMs: foldManyEveryMs, run: fold(many) },
    { name: 'foldTransactionCounts', everyMs: foldAllEveryMs, run: fold(1) },
  ];
};

/** Answers how many days were folded; more may be due if it is not zero. */
export const foldDays = async (tools: JobTools, minRows: number): Promise<number> => {
  const days = await tools.database.system(findLooseDays, { maxDays, minRows });
  return runTogether(
    tools,
    'FOLD',
    days,
    ({ day_id }) => day_id,
    (together) =>
      tools.database.system(foldCounts, {
        merchantIds: together.map(({ merchant_id }) => merchant_id),
        environments: together.map(({ environment }) => environment),
        days: together.map(({ day }) => day),
      }),
  );
};
