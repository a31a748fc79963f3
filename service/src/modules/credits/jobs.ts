import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { type CreditTools, matchCredits } from './match-credits.ts';
import { reverseCredits } from './reverse-credits.ts';
import { countUnmatched } from './store/credits.ts';

const countEveryMs = 15_000;

export const creditJobs = (tools: CreditTools) => [
  { name: 'matchCredits', run: () => matchCredits(tools) },
  { name: 'reverseCredits', run: () => reverseCredits(tools) },
  { name: 'countCredits', everyMs: countEveryMs, run: () => countCredits(tools) },
];

const countCredits = async ({ database }: Uses<'database'>): Promise<number> => {
  const [row] = await database.system(countUnmatched, {});
  metrics.set('florin_credits_unmatched', row?.unmatched ?? 0);
  return 0;
};
