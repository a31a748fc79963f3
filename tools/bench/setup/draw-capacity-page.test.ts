import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { capacityPage, type Measured, partitionedByDay } from './draw-capacity-page.ts';
import { readCapacity } from './recorded-capacity.ts';

/** Lines of a table by their first cell. */
const linesOf = (page: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').slice(1, -1))
      .map((row) => row.map((cell) => cell.trim()))
      .map(([title = '', ...cells]) => [title, cells]),
  );

const numberIn = (cell = ''): number => {
  const [, number, unit = ''] = /^([\d.]+) ?(\S*)$/.exec(cell) ?? [];
  const factors: Readonly<Record<string, number>> = { GB: 1e9, TB: 1e12, kB: 1e3, million: 1e6 };
  return Number(number) * (factors[unit] ?? 1);
};

test('a partition of a day is reckoned as one', async () => {
  const folder = new URL('../../../service/migrations/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  const commented = /comment on table (\w+) is '[^']*by day/g;
  const found = texts.flatMap((text) => [...text.matchAll(commented)].map(([, table]) => table));
  expect(found.sort()).toEqual(partitionedByDay);
});

/** Round figures, so that each month can be reckoned by hand. */
const invented: Measured = {
  ...{ payments: 100, signatureMs: 1, perSecond: 10 },
  ...{ serviceMs: 100, databaseMs: 50, commits: 8, walBytes: 30_000, calls: 10 },
  tables: new Map([
    ['attempt', { rows: 1, tableBytes: 900, indexBytes: 100 }],
    ['webhook_attempt', { rows: 2, tableBytes: 1_500, indexBytes: 500 }],
    ['event', { rows: 1, tableBytes: 2_000, indexBytes: 1_000 }],
    ['attempt_poll', { rows: 1, tableBytes: 300, indexBytes: 100 }],
  ]),
};

// A month has 2,592,000 seconds: a million payments are 0.386 a second, 1.929 in the busiest minutes.
test.each([
  ['a second, on average', ['0.4', '3.9', '38.6']],
  ['a second, at most', ['1.9', '19.3', '192.9']],
  // A tenth of a second each, on processors that are half idle.
  ['cores of the service', ['0.4', '3.9', '38.6']],
  ['cores of PostgreSQL', ['0.2', '1.9', '19.3']],
  ['commits a second, at most', ['15', '154', '1543']],
  ['write-ahead log a day', ['1.0 GB', '10.0 GB', '100.0 GB']],
  ['rows', ['5 million', '50 million', '500 million']],
  ['kept, more each month', ['1.0 GB', '10.0 GB', '100.0 GB']],
  ['kept, after 7 years', ['84.0 GB', '840.0 GB', '8.4 TB']],
  // 3 kB for 90 days and the month of their partition, 2 kB for 30 days and the day of theirs.
  ['dropped in time, at rest at most', ['14.1 GB', '140.7 GB', '1.4 TB']],
])('months of a million, ten and a hundred million follow from one payment: %s', (title, cells) => {
  expect(linesOf(capacityPage(invented)).get(title)).toEqual(cells);
});

test('months of the recorded measurement follow from its one payment', async () => {
  const measured = await readCapacity();
  const lines = linesOf(capacityPage(measured));
  const busiestPerSecond = (payments: number) => (payments / (30 * 86_400)) * 5;
  const kept = numberIn(lines.get('tables and indexes, kept')?.[0]);
  const reckoned: Readonly<Record<string, (payments: number) => number>> = {
    'cores of the service': (count) => (busiestPerSecond(count) * measured.serviceMs) / 500,
    'cores of PostgreSQL': (count) => (busiestPerSecond(count) * measured.databaseMs) / 500,
    'commits a second, at most': (count) => busiestPerSecond(count) * measured.commits,
    'write-ahead log a day': (count) => (count * measured.walBytes) / 30,
    'kept, more each month': (count) => count * kept,
    'kept, after 7 years': (count) => count * kept * 84,
  };
  for (const [title, reckon] of Object.entries(reckoned)) {
    const cells = lines.get(title) ?? [];
    expect(cells, title).toHaveLength(3);
    for (const [at, cell] of cells.entries()) {
      const expected = reckon(10 ** (6 + at));
      // What is shown has one digit after the point, of gigabytes too.
      const rounding = cell.endsWith('B') ? expected * 0.05 : 0.5;
      expect(Math.abs(numberIn(cell) - expected), `${title}: ${cell}`).toBeLessThan(rounding);
    }
  }
});
