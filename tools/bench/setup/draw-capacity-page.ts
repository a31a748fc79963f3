import { readConfig } from '../../../service/src/platform/config.ts';
import { partitionLives, tableLives } from '../../../service/src/programs/wiring/table-lives.ts';
import type { TableSize } from './table-growth.ts';

/** Each of one payment, but for the first three. */
export type Measured = {
  readonly payments: number;
  /** CPU of one by RSA with 2,048 bits. */
  readonly signatureMs: number;
  readonly perSecond: number;
  readonly serviceMs: number;
  readonly databaseMs: number;
  readonly commits: number;
  readonly walBytes: number;
  readonly calls: number;
  readonly tables: ReadonlyMap<string, TableSize>;
};

const months = [1e6, 10e6, 100e6];
const daysOfMonth = 30;
const secondsOfMonth = daysOfMonth * 24 * 60 * 60;
/** Shops sleep at night: what the busiest minutes have of the average. */
const busiest = 5;
/** Of the processors, even then. */
const usedShare = 0.5;
const keptYears = 7;

export const capacityPage = (measured: Measured): string =>
  [
    '# Capacity\n',
    'Measured by `npm run bench capacity`, kept in `tools/bench/setup/recorded-capacity.json` and drawn by',
    '`npm run generate`: do not edit it here. A payment is one by bank, from its creation over page,',
    'consent and bank to its webhook. Refunds and payouts are not in it.\n',
    ...ofOne(measured),
    ...ofMonths(measured),
    ...ofTables(measured),
    '',
  ].join('\n');

const ofOne = (measured: Measured): readonly string[] => {
  const { payments, signatureMs, perSecond, serviceMs, databaseMs, commits, walBytes, calls } =
    measured;
  const { rows, keptBytes, droppedBytes } = sizesOf(measured);
  return [
    '## One payment\n',
    `Of ${payments}, ${perSecond.toFixed(0)} a second, on two cores that also ran payers, a stand-in of the`,
    `bank and other work. A signature by RSA (2,048 bits) took ${signatureMs.toFixed(2)} ms of a core:`,
    'compare with yours. The database was new; `npm run bench growth` compares with a million payments.\n',
    '| what | how much |',
    '|---|---|',
    `| CPU of the service | ${serviceMs.toFixed(1)} ms |`,
    `| CPU of PostgreSQL | ${databaseMs.toFixed(1)} ms |`,
    `| commits | ${commits.toFixed(1)} |`,
    `| write-ahead log | ${kB(walBytes)} |`,
    `| calls to bank and receiver | ${calls.toFixed(1)} |`,
    `| rows after it | ${rows.toFixed(1)} |`,
    `| tables and indexes, kept | ${kB(keptBytes)} |`,
    `| tables and indexes, dropped with a partition | ${kB(droppedBytes)} |\n`,
  ];
};

const ofMonths = (measured: Measured): readonly string[] => {
  const { serviceMs, databaseMs, commits, walBytes } = measured;
  const { rows, keptBytes, restingBytes } = sizesOf(measured);
  const line = (title: string, of: (count: number) => string): string =>
    `| ${[title, ...months.map(of)].join(' | ')} |`;
  const atMost = (count: number): number => (count / secondsOfMonth) * busiest;
  const cores = (ms: number) => (count: number) =>
    ((atMost(count) * ms) / 1_000 / usedShare).toFixed(1);
  return [
    '## A month\n',
    `Reckoned from the above: the busiest minutes have ${busiest} times the average, and processors are`,
    'half idle even then. Such numbers were not run.\n',
    line('payments', (count) => `${count / 1e6} million`),
    line('---', () => '---'),
    line('a second, on average', (count) => (count / secondsOfMonth).toFixed(1)),
    line('a second, at most', (count) => atMost(count).toFixed(1)),
    line('cores of the service', cores(serviceMs)),
    line('cores of PostgreSQL', cores(databaseMs)),
    line('commits a second, at most', (count) => (atMost(count) * commits).toFixed(0)),
    line('write-ahead log a day', (count) => gB((count * walBytes) / daysOfMonth)),
    line('rows', (count) => `${((count * rows) / 1e6).toFixed(0)} million`),
    line('kept, more each month', (count) => gB(count * keptBytes)),
    line(`kept, after ${keptYears} years`, (count) => gB(count * keptBytes * 12 * keptYears)),
    line('dropped in time, at rest at most', (count) => gB(count * restingBytes)),
    '',
    'Sizes are without the room that updated rows leave until vacuum: count a third more.',
    'Partitions are made ahead and dropped by a job of the workers. What is kept is the books, in tables',
    'without partitions: nothing deletes them. `PERSONAL_DATA_DAYS` erases persons in them by age.',
    '`EVENT_DAYS`, `WEBHOOK_ATTEMPT_DAYS` and `REQUEST_LOG_DAYS` keep the others longer,',
    '`ARCHIVE_FOLDER` for good.\n',
  ];
};

const ofTables = ({ tables }: Measured): readonly string[] => [
  '## Tables\n',
  '| table | rows of a payment | bytes | of them indexes | life |',
  '|---|---|---|---|---|',
  ...[...tables]
    .sort(([, one], [, other]) => bytesOf(other) - bytesOf(one))
    .map(
      ([name, size]) =>
        `| ${name} | ${size.rows.toFixed(2)} | ${bytesOf(size).toFixed(0)} | ` +
        `${size.indexBytes.toFixed(0)} | ${lifeOf(name)} |`,
    ),
];

/** Days for which a partition is kept after its end. */
const keptDays: Readonly<Record<string, number>> = partitionLives(readConfig({}));
/** The others have one for each month. */
export const partitionedByDay = ['idempotency', 'request_log', 'webhook_attempt'];

/** The most that its first row rests: a partition goes as a whole. */
const restDays = (name: string): number =>
  (keptDays[name] ?? 0) + (partitionedByDay.includes(name) ? 1 : daysOfMonth);

const sizesOf = ({ tables }: Measured) => {
  const all = [...tables];
  const sum = (some: readonly number[]): number => some.reduce((total, value) => total + value, 0);
  const kept = all.filter(([name]) => lifeOf(name).startsWith('kept'));
  const dropped = all.filter(([name]) => name in keptDays);
  const resting = dropped.map(([name, size]) => (bytesOf(size) * restDays(name)) / daysOfMonth);
  return {
    rows: sum(all.map(([, { rows }]) => rows)),
    keptBytes: sum(kept.map(([, size]) => bytesOf(size))),
    droppedBytes: sum(dropped.map(([, size]) => bytesOf(size))),
    restingBytes: sum(resting),
  };
};

const lifeOf = (name: string): string => {
  const life = tableLives[name];
  if (life === undefined) throw new Error(`the table ${name} has no stated life`);
  return life;
};

const bytesOf = ({ tableBytes, indexBytes }: TableSize): number => tableBytes + indexBytes;
const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;
const gB = (bytes: number): string =>
  bytes >= 1e12 ? `${(bytes / 1e12).toFixed(1)} TB` : `${(bytes / 1e9).toFixed(1)} GB`;
