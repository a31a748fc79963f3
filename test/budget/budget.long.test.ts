import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openWorkCounter, type Work } from './count-work.ts';
import { mainJourneys } from './journeys.ts';
import { openProductByHand } from './open-product-by-hand.ts';

const page = new URL('../../docs/generated/BUDGET.md', import.meta.url);

const timeout = 300_000;

test('each main journey costs what its budget says', { timeout }, async () => {
  const measured = await measureAll();
  const text = budgetPage(measured);
  // `npm run generate`
  if (process.env.WRITE_BUDGET) await writeFile(page, text);
  expect(text, 'a journey costs other than its budget: npm run generate').toBe(
    await readFile(page, 'utf8'),
  );
});

type Measured = { readonly name: string; readonly work: Work; readonly bytesShown: number };

const measureAll = async (): Promise<readonly Measured[]> => {
  const product = await openProductByHand();
  const counter = await openWorkCounter(product.tools.database, product.databaseUrl);
  const measured: Measured[] = [];
  try {
    for (const { name, prepare = async () => '', run } of await mainJourneys(product, counter)) {
      // What is read once and kept is not of one payment.
      await run(await prepare());
      const prepared = await prepare();
      let shown: unknown;
      const work = await counter.measure(async () => {
        shown = await run(prepared);
      });
      measured.push({ name, work, bytesShown: typeof shown === 'number' ? shown : 0 });
    }
  } finally {
    await counter.close();
    await product.close();
  }
  return measured;
};

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);

const budgetPage = (measured: readonly Measured[]): string =>
  [
    '# What each main journey costs\n',
    'Generated from what the product did in `test/budget` by `npm run generate`: do not edit it here.',
    'A test compares it. Each journey is of one payment alone and runs a second time, so that what is',
    'kept is there. Looks of jobs by the clock are left out. Rounds are statements that waited for those',
    'before; rows written count every table; bytes are of bodies, before compression;',
    'what is shown is rounded to five thousand of them, since the last hundred differ by chance.\n',
    '| journey | statements | rounds | commits | rows written | calls | signatures | bytes sent | KB shown |',
    '|---|---|---|---|---|---|---|---|---|',
    ...measured.map(({ name, work, bytesShown }) => {
      const { statements, rounds, commits, rowsWritten, calls, signatures, bytesSent } = work;
      const figures = [sum(statements), rounds, commits, rowsWritten, sum(calls), signatures];
      return `| ${[name, ...figures, bytesSent, 5 * Math.round(bytesShown / 5_000)].join(' | ')} |`;
    }),
    ...measured.flatMap(({ name, work }) => [
      `\n## ${name}\n`,
      ...listed(work.statements),
      ...listed(work.calls),
    ]),
    '',
  ].join('\n');

const listed = (counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `- ${count} × \`${name}\``);
