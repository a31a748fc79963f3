import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { findUnnamed } from './reports/find-unnamed.ts';
import { openReports, type Reports } from './reports/open-reports.ts';
import type { Booking, ReportStep } from './reports/report-steps.ts';
import { tellStory } from './reports/tell-story.ts';

let reports: Reports;
beforeAll(async () => {
  reports = await openReports();
});
afterAll(() => reports.close());

/** C: a credit of the payment. D: a debit of it. X: a debit of another amount. */
type Letter = 'C' | 'D' | 'X';

const booking = (letter: Letter): Booking => ({
  ...{ kind: 'BOOK', subject: 'PAYMENT', isElsewhere: false, hasReference: true },
  what: letter === 'C' ? 'CREDIT' : 'DEBIT',
  isOtherAmount: letter === 'X',
});

const ordersOf = (letters: readonly Letter[]): readonly (readonly Letter[])[] => {
  if (letters.length === 0) return [[]];
  return [...new Set(letters)].flatMap((first) => {
    const at = letters.indexOf(first);
    const rest = [...letters.slice(0, at), ...letters.slice(at + 1)];
    return ordersOf(rest).map((order) => [first, ...order]);
  });
};

const work: ReportStep = { kind: 'WORK' };
const report = (list: 'INTRADAY' | 'NOTIFICATION', copies: 1 | 2): ReportStep => ({
  ...{ kind: 'REPORT', list, copies, isLate: false },
});

/** A message for each booking, everything worked off in between, or one for all; each may come twice. */
const ways = {
  'each in its notification': (order) =>
    order.flatMap((letter) => [booking(letter), report('NOTIFICATION', 1), work, work, work, work]),
  'each in a doubled report of all so far': (order) =>
    order.flatMap((letter) => [booking(letter), report('INTRADAY', 2), work, work]),
  'all in one report': (order) => [...order.map(booking), report('INTRADAY', 1), work],
} satisfies Readonly<Record<string, (order: readonly Letter[]) => readonly ReportStep[]>>;
type Way = keyof typeof ways;

type End = {
  readonly letters: readonly Letter[];
  readonly status: string;
  readonly credits: string | null;
  readonly case: string | null;
};

const ends: readonly End[] = [
  { letters: ['C', 'C', 'D'], status: 'COMPLETED', credits: 'MATCHED REVERSED', case: null },
  { letters: ['C', 'D'], status: 'FAILED', credits: 'REVERSED', case: null },
  { letters: ['C', 'C', 'D', 'D'], status: 'FAILED', credits: 'REVERSED REVERSED', case: null },
  { letters: ['D'], status: 'FAILED', credits: null, case: null },
  { letters: ['C', 'C'], status: 'COMPLETED', credits: 'MATCHED UNMATCHED', case: 'PAID_TWICE' },
  { letters: ['C', 'X'], status: 'COMPLETED', credits: 'MATCHED', case: null },
  {
    ...{ letters: ['C', 'C', 'X'], status: 'COMPLETED' },
    ...{ credits: 'MATCHED UNMATCHED', case: 'PAID_TWICE' },
  },
];

const told = ends.flatMap((end) =>
  ordersOf(end.letters).flatMap((order) =>
    (Object.keys(ways) as Way[]).map((way) => ({ ...end, order: order.join(' '), way })),
  ),
);

/** All 54 are in the long run: these are each end once, and the debit before the second credit. */
const representatives = ['C C D', 'C D C', 'D C C', 'C D', 'C C D D', 'D', 'C C', 'C X', 'C C X'];
const shown = told.filter(
  ({ order, way }) =>
    isLongRun || (way === 'each in its notification' && representatives.includes(order)),
);

const standing = statement<
  { readonly attemptId: string; readonly endToEndId: string },
  { readonly status: string; readonly credits: string; readonly reasons: string | null }
>(
  'test_orders_standing',
  sql('attemptId', 'endToEndId')`
   select a.status, (select string_agg(c.status, ' ' order by c.status) from account_credit c
       where c.end_to_end_id = :endToEndId) as credits,
     (select string_agg(c.unmatched_reason, ' ') from account_credit c
       where c.end_to_end_id = :endToEndId) as reasons,
     (select count(*)::int from held_payment h where h.attempt_id = a.attempt_id) as held
   from attempt a where a.attempt_id = :attemptId::uuid`,
);

let known: readonly string[] = [];
test.each(shown)('$order, $way: $status', async ({ order, way, status, credits, case: reason }) => {
  const steps = ways[way](order.split(' ') as Letter[]);
  const { payment } = await tellStory(reports, { script: ['ACSC'], readsFirst: true, steps });
  const { attemptId } = payment;
  const { endToEndId } = payment.atBank;
  const [found] = await reports.database.system(standing, { attemptId, endToEndId });
  // Nobody knows yet what a debit of another amount was for.
  const held = order.includes('X') ? 1 : 0;
  expect(found).toEqual({ status, credits, reasons: reason, held });
  const unnamed = await findUnnamed(reports);
  const added = unnamed.filter((each) => !known.includes(each));
  known = unnamed;
  expect(added).toEqual([]);
});
