import type { QueryOf, ReplyOf } from '@florin/contract';
import type { getMoney as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import { checkedDays, type Days, listDays, readToday } from '../days/read-days.ts';
import { countsFor, figures, type MoneyFigure, readAccounts } from './figures.ts';
import { type MoneySumRow, readMoneySums } from './store/money-days.ts';

/** DESK-1: every figure from one read of the ledger, so that they fit each other. */
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
  const rows = await read(days);
  const chosen = rows.filter(({ day }) => day !== null);
  const isIn = days.fromDay <= today && today <= days.toDay;
  const near = isIn ? rows : await read({ fromDay: today, toDay: today });
  return {
    from: days.fromDay,
    to: days.toDay,
    currency: 'GBP',
    ...figuresOf(chosen),
    today: { day: today, ...figuresOf(near.filter(({ day }) => day === today)) },
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
    count: Number(entriesOf(rows, figure).reduce((sum, { entries }) => sum + entries, 0n)),
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

const sumOf = (rows: readonly MoneySumRow[], figure: MoneyFigure): number => {
  const sum = entriesOf(rows, figure).reduce((total, row) => total + row.amount_pence, 0n);
  return poundsNumber(pence(figures[figure].sign * sum));
};
