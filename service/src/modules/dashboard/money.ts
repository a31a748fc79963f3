import type { QueryOf, ReplyOf } from '@florin/contract';
import {
  type getStatement,
  type moneyFigures,
  getMoney as operation,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { addPence, type Pence, pence, poundsNumber } from '#kernel/pence.ts';
import { type Account, accounts } from '#modules/ledger/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { checkedDays, type Days, daysBefore, listDays, readToday } from './days.ts';

type MoneyFigure = (typeof moneyFigures)[number];

type FigureSource = {
  readonly accounts: readonly Account[];
  /** Null: whatever moves the account, so the figure is its balance. */
  readonly reasons: readonly string[] | null;
  /** -1 where the ledger credits what the figure adds. */
  readonly sign: 1n | -1n;
};

/** What the operator owes a merchant, or what reached it directly: a transfer between them is no figure. */
const owed: readonly Account[] = [
  'MERCHANT_UNSETTLED',
  'MERCHANT_PAYABLE',
  'MERCHANT_PAID_DIRECTLY',
];

const balanceOf = (account: Account, sign: 1n | -1n): FigureSource => ({
  accounts: [account],
  reasons: null,
  sign,
});

/** Each figure of the money page in entries of LEDGER-2 (DASHBOARD-41). */
export const figures: Readonly<Record<MoneyFigure, FigureSource>> = {
  SOLD: { accounts: owed, reasons: ['PAYMENT_COMPLETED'], sign: -1n },
  REVERSED: {
    accounts: owed,
    reasons: ['PAYMENT_REVERSED', 'PAYMENT_DISPUTED', 'DISPUTE_WON'],
    sign: 1n,
  },
  REFUNDED: {
    accounts: owed,
    reasons: [
      'REFUND_HANDED_OVER',
      'REFUND_COMPLETED',
      'REFUND_FAILED',
      'REFUND_RETURNED',
      'REFUNDED_AT_PROCESSOR',
      'REFUND_AT_PROCESSOR_FAILED',
    ],
    sign: 1n,
  },
  FEES: { accounts: owed, reasons: ['FEE_CHARGED', 'FEE_RETURNED'], sign: 1n },
  PAID_OUT: balanceOf('STORE_PAID_OUT', 1n),
  DUE_FROM_BANK: balanceOf('DUE_FROM_BANK', 1n),
  PAYABLE: balanceOf('MERCHANT_PAYABLE', -1n),
  IN_PAYOUT: balanceOf('PAYOUTS_IN_TRANSIT', -1n),
  IN_REFUNDS: balanceOf('REFUNDS_IN_TRANSIT', -1n),
  HELD_ON_CARDS: balanceOf('HELD_AT_PROCESSOR', 1n),
  WAITING: { accounts: ['MERCHANT_UNSETTLED', 'MERCHANT_PAYABLE'], reasons: null, sign: -1n },
  PAID_DIRECTLY: balanceOf('MERCHANT_PAID_DIRECTLY', -1n),
  HELD_FOR_CASES: balanceOf('HELD_FOR_CASES', -1n),
};

type LeftFigure = (typeof leftFigures)[number];

/** What is left is their sum, with all but the first taken off. */
const leftFigures = ['SOLD', 'REFUNDED', 'REVERSED', 'FEES'] as const;
export const left = {
  accounts: owed,
  reasons: leftFigures.flatMap((figure) => figures[figure].reasons ?? []),
  sign: figures.SOLD.sign,
};

export const leftFigureOf = (reason: string): LeftFigure =>
  leftFigures.find((figure) => figures[figure].reasons?.includes(reason)) ?? 'SOLD';

/** Of entries without a store, in the sums by store. */
export const noStore = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** Accounts that a figure reads, in the order of the ledger. */
export const readAccounts: readonly Account[] = accounts.filter((account) =>
  Object.values(figures).some((source) => source.accounts.includes(account)),
);

/** Whether an entry counts for a figure. */
export const countsFor = (
  source: FigureSource,
  { account, reason }: { readonly account: string; readonly reason: string },
): boolean =>
  source.accounts.some((read) => read === account) &&
  (source.reasons === null || source.reasons.includes(reason));

type Read = Tenant & {
  readonly accounts: readonly string[];
  readonly fromDay: string;
  readonly toDay: string;
};

type MoneySumRow = {
  /** Null: outside the days that were chosen. */
  readonly day: string | null;
  readonly account: string;
  readonly reason: string;
  readonly amount_pence: bigint;
  /** Debits less credits. */
  readonly net_entries: bigint;
};

/** Counted days and the entries after them, in one snapshot: no entry is missed or read twice. */
const readMoneySums = statement<Read, MoneySumRow>(
  'money_day_read',
  sql('merchantId', 'environment', 'accounts', 'fromDay', 'toDay')`
   with cursor as materialized (
     select coalesce(max(counted_in::text::bigint), 0)::text::xid8 as counted_in
     from money_day_cursor where merchant_id = :merchantId and environment = :environment),
   moved as (
     select d.day, d.account, d.reason, d.amount_pence, d.net_entries from money_day d
     where d.merchant_id = :merchantId and d.environment = :environment
     union all
     -- sorted as the index is: the planner takes the few entries after the cursor for a third of all
     select london_day(f.occurred_at), f.account, f.reason, f.amount_pence, sign(f.amount_pence)
     from unnest(:accounts::text[]) as known (account) cross join lateral (
       select e.occurred_at, e.account, e.reason, e.amount_pence from ledger_entry e
       where e.merchant_id = :merchantId and e.environment = :environment
         and e.account = known.account and e.written_in > (select counted_in from cursor)
       order by e.written_in, e.entry_id offset 0) f)
   select case when day between :fromDay::date and :toDay::date then day::text end as day,
     account, reason, sum(amount_pence)::bigint as amount_pence, sum(net_entries)::bigint as net_entries
   from moved group by 1, 2, 3`,
);

/** DASHBOARD-41: every figure from one read of the ledger, so that they fit each other. */
export const getMoney = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const today = await readToday(tools, tenant);
  const days = checkedDays(query, query.to ?? today);
  const read = (period: Days) =>
    tools.database.tenant(tenant.merchantId, readMoneySums, {
      ...tenant,
      ...period,
      accounts: readAccounts,
    });
  const before = daysBefore(days);
  const rows = await read({ fromDay: before.fromDay, toDay: days.toDay });
  const chosen = rows.filter(({ day }) => day !== null && day >= days.fromDay);
  const earlier = rows.filter(({ day }) => day !== null && day < days.fromDay);
  const isIn = before.fromDay <= today && today <= days.toDay;
  const near = isIn ? rows : await read({ fromDay: today, toDay: today });
  return {
    from: days.fromDay,
    to: days.toDay,
    currency: 'GBP',
    ...figuresOf(chosen),
    today: { day: today, ...figuresOf(near.filter(({ day }) => day === today)) },
    before: { from: before.fromDay, to: before.toDay, ...figuresOf(earlier) },
    balance: {
      sold: sumOf(rows, 'SOLD'),
      refunded: sumOf(rows, 'REFUNDED'),
      fees: sumOf(rows, 'FEES'),
      reversed: sumOf(rows, 'REVERSED'),
      paidOut: sumOf(rows, 'PAID_OUT'),
      inPayout: sumOf(rows, 'IN_PAYOUT'),
      waiting: sumOf(rows, 'WAITING'),
      paidDirectly: sumOf(rows, 'PAID_DIRECTLY'),
      heldForCases: sumOf(rows, 'HELD_FOR_CASES'),
    },
    onTheWay: {
      dueFromBank: sumOf(rows, 'DUE_FROM_BANK'),
      payable: sumOf(rows, 'PAYABLE'),
      inPayout: sumOf(rows, 'IN_PAYOUT'),
      inRefunds: sumOf(rows, 'IN_REFUNDS'),
      heldOnCards: sumOf(rows, 'HELD_ON_CARDS'),
    },
    days: seriesOf(chosen, listDays(days)),
  };
};

const figuresOf = (rows: readonly MoneySumRow[]) => {
  const of = (figure: MoneyFigure) => ({
    amount: sumOf(rows, figure),
    count: countOf(rows, figure),
  });
  return {
    sold: of('SOLD'),
    reversed: of('REVERSED'),
    refunded: of('REFUNDED'),
    fees: of('FEES'),
    paidOut: of('PAID_OUT'),
  };
};

const seriesOf = (rows: readonly MoneySumRow[], days: readonly string[]) => {
  const byDay = new Map(days.map((day) => [day, [] as MoneySumRow[]]));
  for (const row of rows) byDay.get(row.day ?? '')?.push(row);
  return [...byDay].map(([day, ofDay]) => {
    return {
      day,
      sold: sumOf(ofDay, 'SOLD'),
      reversed: sumOf(ofDay, 'REVERSED'),
      refunded: sumOf(ofDay, 'REFUNDED'),
      fees: sumOf(ofDay, 'FEES'),
      paidOut: sumOf(ofDay, 'PAID_OUT'),
    };
  });
};

const entriesOf = (rows: readonly MoneySumRow[], figure: MoneyFigure) =>
  rows.filter((row) => countsFor(figures[figure], row));

const penceOf = (rows: readonly MoneySumRow[], figure: MoneyFigure): Pence => {
  const sum = entriesOf(rows, figure).reduce((total, row) => total + row.amount_pence, 0n);
  return pence(figures[figure].sign * sum);
};

/** Each thing once: one that came back counts no more, as in the amount. */
const countOf = (rows: readonly MoneySumRow[], figure: MoneyFigure): number => {
  const net = entriesOf(rows, figure).reduce((sum, row) => sum + row.net_entries, 0n);
  return Math.max(Number(figures[figure].sign * net), 0);
};

const sumOf = (rows: readonly MoneySumRow[], figure: MoneyFigure): number =>
  poundsNumber(penceOf(rows, figure));

type PaidAndOwed = NonNullable<ReplyOf<typeof getStatement>['carried']>;

const owedOf = (rows: readonly MoneySumRow[]): number =>
  poundsNumber(addPence(...owedFigures.map((figure) => penceOf(rows, figure))));

const beforeAll = '0001-01-01';
const owedFigures = ['WAITING', 'IN_PAYOUT', 'HELD_FOR_CASES'] as const;

/** What was paid out in some days, and what was not yet before and after them. */
export const readPaidAndOwed = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { fromDay, toDay }: Days,
): Promise<PaidAndOwed> => {
  const values = { ...tenant, accounts: readAccounts, fromDay: beforeAll, toDay };
  const rows = await tools.database.tenant(tenant.merchantId, readMoneySums, values);
  const until = rows.filter(({ day }) => day !== null);
  const within = until.filter(({ day }) => day !== null && day >= fromDay);
  const earlier = until.filter(({ day }) => day !== null && day < fromDay);
  return {
    opening: owedOf(earlier),
    paidDirectly: sumOf(within, 'PAID_DIRECTLY'),
    paidOut: sumOf(within, 'PAID_OUT'),
    closing: owedOf(until),
  };
};

export const moneyRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(operation, ({ query }, { tenant }) => getMoney(tools, tenant, query)),
];
