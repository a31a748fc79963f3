import { partitionLives, tableLives } from '../../../service/src/programs/wiring/table-lives.ts';
import type { TableSize } from './table-growth.ts';

/** Each of one payment, but for the first two. */
export type Measured = {
  readonly payments: number;
  readonly perSecond: number;
  readonly serviceMs: number;
  readonly databaseMs: number;
  readonly commits: number;
  readonly walBytes: number;
  readonly calls: number;
  readonly tables: ReadonlyMap<string, TableSize>;
};

const months = [1e6, 10e6, 100e6];
const secondsOfMonth = 30 * 24 * 60 * 60;
/** Shops sleep at night: what the busiest minutes have of the average. */
const busiest = 5;
/** The processors are to be half idle even then. */
const usedShare = 0.5;

/** Rows that are dropped with their partition. */
const droppedAfterDays: Readonly<Record<string, number>> = partitionLives;
/** A partition goes as a whole, when its last day has come of age. */
const partitionDays = 30;

export const capacityPage = (measured: Measured): string => {
  const { payments, perSecond, serviceMs, databaseMs, commits, walBytes, calls, tables } = measured;
  const kept = [...tables].filter(([name]) => isKept(name));
  const dropped = [...tables].filter(([name]) => name in droppedAfterDays);
  const bytes = (some: readonly (readonly [string, TableSize])[]) =>
    some.reduce((sum, [, size]) => sum + size.tableBytes + size.indexBytes, 0);
  const rows = [...tables.values()].reduce((sum, size) => sum + size.rows, 0);
  const stock = dropped.reduce(
    (sum, each) => sum + (bytes([each]) * ((droppedAfterDays[each[0]] ?? 0) + partitionDays)) / 30,
    0,
  );
  const month = (title: string, of: (count: number) => string) =>
    `| ${[title, ...months.map(of)].join(' | ')} |`;
  const average = (count: number) => count / secondsOfMonth;
  const cores = (count: number, ms: number) =>
    (((average(count) * busiest * ms) / 1_000 / usedShare) * 1).toFixed(1);
  return [
    '# Capacity\n',
    'Measured and written by `npm run bench capacity`: do not edit it here. A payment is one by bank, from its',
    'creation over the page, consent and bank to its webhook; refunds and payouts come on top, each about as much.',
    `${payments} of them, ${perSecond.toFixed(0)} a second, on two cores that also ran the payers and a stand-in of the bank.\n`,
    '## One payment\n',
    '| what | how much |',
    '|---|---|',
    `| CPU of the service | ${serviceMs.toFixed(1)} ms |`,
    `| CPU of PostgreSQL | ${databaseMs.toFixed(1)} ms |`,
    `| commits | ${commits.toFixed(1)} |`,
    `| write-ahead log | ${kB(walBytes)} |`,
    `| calls to bank and receiver | ${calls.toFixed(1)} |`,
    `| rows that stay after it | ${rows.toFixed(1)} |`,
    `| bytes of tables and indexes that are kept | ${kB(bytes(kept))} |`,
    `| bytes that are dropped with their partition | ${kB(bytes(dropped))} |\n`,
    '## A month\n',
    `The busiest minutes are taken as ${busiest} times the average, with processors half idle even then.\n`,
    month('', (count) => `${count / 1e6} million`),
    month('---', () => '---'),
    month('a second, on average and at most', (count) =>
      [average(count), average(count) * busiest].map((value) => value.toFixed(1)).join(', '),
    ),
    month('cores of the service', (count) => cores(count, serviceMs)),
    month('cores of PostgreSQL', (count) => cores(count, databaseMs)),
    month('commits a second, at most', (count) => (average(count) * busiest * commits).toFixed(0)),
    month('write-ahead log a day, to archive', (count) => gB((count * walBytes) / 30)),
    month('rows a month', (count) => `${((count * rows) / 1e6).toFixed(0)} million`),
    month('kept, more each month', (count) => gB(count * bytes(kept))),
    month('kept, after seven years', (count) => gB(count * bytes(kept) * 84)),
    month('dropped in time, at rest', (count) => gB(count * stock)),
    '\n## Tables\n',
    '| table | rows of a payment | bytes | of them indexes | life |',
    '|---|---|---|---|---|',
    ...[...tables]
      .sort(([, one], [, other]) => total(other) - total(one))
      .map(
        ([name, size]) =>
          `| ${name} | ${size.rows.toFixed(2)} | ${total(size).toFixed(0)} | ` +
          `${size.indexBytes.toFixed(0)} | ${tableLives[name]} |`,
      ),
    '',
  ].join('\n');
};

const isKept = (name: string): boolean => /^kept/.test(tableLives[name] ?? '');
const total = ({ tableBytes, indexBytes }: TableSize): number => tableBytes + indexBytes;
const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;
const gB = (bytes: number): string =>
  bytes >= 1e12 ? `${(bytes / 1e12).toFixed(1)} TB` : `${(bytes / 1e9).toFixed(1)} GB`;
