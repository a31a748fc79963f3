import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findUnnamed } from './reports/find-unnamed.ts';
import { openReports, type Reports } from './reports/open-reports.ts';
import { type Story, stories } from './reports/report-steps.ts';
import { tellStory } from './reports/tell-story.ts';

// Three hundred: npm run test:model. The same again: REPORTS_SEED=1234 npm run test:model, and of
// these only the story that failed: REPORTS_PATH=31.
const runs = Number(process.env.REPORTS_RUNS ?? 4);
const seed = Number(process.env.REPORTS_SEED ?? (runs > 10 ? Date.now() % 2 ** 31 : 1));

let reports: Reports;
beforeAll(async () => {
  reports = await openReports();
});
afterAll(() => reports.close());

/** What an earlier story left, such as one that failed, is none of this one. */
let known: readonly string[] = [];
const prove = async (story: Story): Promise<void> => {
  await tellStory(reports, story);
  const found = await findUnnamed(reports);
  const added = found.filter((each) => !known.includes(each));
  known = found;
  expect(added).toEqual([]);
};

test.each([false, true])(
  'a return is listed, its debit is not: less charges %s',
  async (isLess) => {
    const returned = { kind: 'BOOK', subject: 'REFUND', what: 'RETURN' } as const;
    const listed = { ...returned, isOtherAmount: isLess, isElsewhere: false, hasReference: true };
    const works = Array.from({ length: 3 }, () => ({ kind: 'WORK' }) as const);
    const steps = [{ kind: 'REFUND' } as const, ...works, listed];
    await prove({ script: ['ACSC'], readsFirst: false, steps });
  },
);

test('whatever is reported in any order, the books equal the account or a case says why', async () => {
  await fc.assert(fc.asyncProperty(stories, prove), {
    ...{ numRuns: runs, seed, endOnFailure: true },
    ...(process.env.REPORTS_PATH && { path: process.env.REPORTS_PATH }),
  });
}, 3_600_000);
