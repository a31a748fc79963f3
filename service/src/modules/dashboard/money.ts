import type { QueryOf, ReplyOf } from '@florin/contract';
import type {
  moneyFigures,
  getMoney as operationGetMoney,
  listMoneyRows as operationListMoneyRows,
} from '@florin/contract/dashboard/index.ts';
import { type Tenant, tenantOf } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { type Account, accounts } from '#modules/ledger/index.ts';
import { runInTurn } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { checkedDays, type Days, listDays, readToday } from './days.ts';
import {
  addUpEntries,
  beginCounting,
  listMoneyEntries,
  listTenantsToCount,
  type MoneyRow,
  type MoneySumRow,
  readMoneySums,
} from './store/money-days.ts';

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
};

/** Accounts that a figure reads, in the order of the ledger. */
const readAccounts: readonly Account[] = accounts.filter((account) =>
  Object.values(figures).some((source) => source.accounts.includes(account)),
);

/** Whether an entry counts for a figure. */
export const countsFor = (
  source: FigureSource,
  { account, reason }: { readonly account: string; readonly reason: string },
): boolean =>
  source.accounts.some((read) => read === account) &&
  (source.reasons === null || source.reasons.includes(reason));

const maxTenants = 200;

/** Counts the entries that readers had to add themselves. Safe to run anywhere, any number of times. */
export const addUpMoneyDays = async (tools: Uses<'database' | 'log'>): Promise<number> => {
  const { database } = tools;
  const accounts = readAccounts;
  const rows = await database.system(listTenantsToCount, { limit: maxTenants, accounts });
  const subjectOf = (row: { readonly merchant_id: string }) => row.merchant_id;
  await runInTurn(tools, 'MONEY_DAY', rows, subjectOf, async (row) => {
    const tenant = tenantOf(row);
    await database.tenant(tenant.merchantId, beginCounting, tenant);
    await database.tenant(tenant.merchantId, addUpEntries, { ...tenant, accounts });
  });
  // Entries go on coming, and the newest may wait for an open transaction: the next round will do.
  return 0;
};

/** DASHBOARD-41: every figure from one read of the ledger, so that they fit each other. */
export const getMoney = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof operationGetMoney>,
): Promise<ReplyOf<typeof operationGetMoney>> => {
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

const last = '9223372036854775807';

/** The entries that a figure of the same days is the sum of. */
export const listMoneyRows = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { figure, from, to, before, limit }: QueryOf<typeof operationListMoneyRows>,
): Promise<ReplyOf<typeof operationListMoneyRows>> => {
  const { accounts, reasons, sign } = figures[figure];
  const [beforeIn = last, beforeId = last] = before?.split('.') ?? [];
  const rows = await tools.database.tenant(tenant.merchantId, listMoneyEntries, {
    ...tenant,
    accounts,
    reasons,
    fromDay: from ?? '1900-01-01',
    toDay: to ?? '2999-12-31',
    beforeIn,
    beforeId,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const end = page.at(-1);
  return {
    data: page.map((row) => ({
      figure,
      reason: row.reason,
      amount: poundsNumber(pence(sign * row.amount_pence)),
      occurredAt: row.occurred_at.toISOString(),
      resource: resourceOf(row),
      resourceId: row.resource_id,
      paymentRequestId: row.payment_request_id,
      orderId: row.order_id,
    })),
    nextBefore: rows.length > limit && end ? `${end.written_in}.${end.entry_id}` : null,
  };
};

const resourceOf = (row: MoneyRow): 'PAYMENT' | 'REFUND' | 'PAYOUT' => {
  if (row.refund_id !== null) return 'REFUND';
  return row.payment_request_id === null ? 'PAYOUT' : 'PAYMENT';
};
