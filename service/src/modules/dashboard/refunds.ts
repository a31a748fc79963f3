import { limits, type ReplyOf } from '@florin/contract';
import { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import {
  continuedPage,
  goesOn,
  inEachOrder,
  type NewestFirst,
  newestFirst,
  newestFirstSql,
  orderSql,
  plannedFor,
  type TotalRow,
  totalsOf,
} from '#platform/database/pages.ts';
import { shown } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  findRefunds,
  isFound,
  type Read,
  type RefundFilter,
  type RefundRow,
  shownColumns,
  withStore,
} from './search-refunds.ts';

type Refund = ReplyOf<typeof listMerchantRefunds>['data'][number];

const listRefunds = inEachOrder((sort) =>
  statement<RefundFilter & NewestFirst, RefundRow>(
    `dashboard_refunds_${sort.toLowerCase()}`,
    sql()`${shownColumns}
   from (select f.*, ${goesOn('f', 'refund_id', sort)} from refund f
     where ${isFound}${newestFirstSql('f', 'refund_id', sort)} offset 0) f${withStore}
   order by ${orderSql('f', 'refund_id', sort)}`,
    plannedFor(sort),
  ),
);

type Payer = {
  readonly payment_idempotency_id: string;
  readonly consumer_name: string | null;
  readonly last_four: string | null;
};

/** Of one page. */
const readPayers = statement<Tenant & { readonly idempotencyIds: readonly string[] }, Payer>(
  'dashboard_refund_payers',
  sql('merchantId', 'environment', 'idempotencyIds')`
   select a.payment_idempotency_id, a.consumer_name, a.card_facts->>'lastFourDigits' as last_four
   from attempt a
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_idempotency_id = any (:idempotencyIds::text[])`,
);

/** From an index alone. */
const addRefunds = statement<RefundFilter & { readonly max: number }, TotalRow>(
  'dashboard_refund_totals',
  sql('max')`
   select status, count(*) as items, sum(amount_pence)::bigint as amount_pence
   from (select f.status, f.amount_pence from refund f where ${isFound}
     order by f.created_at desc limit :max::int) f
   group by status order by status`,
);

export const refundRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(listMerchantRefunds, async ({ query }, { tenant }) => {
    const { status = null, storeId = null, from = '1900-01-01', to = '2999-12-31' } = query;
    const { orderBy = 'NEWEST', limit } = query;
    const max = limits.totalsReadMax;
    const filter = { ...tenant, status, storeId, fromDay: from, toDay: to };
    const read = <Values, Row>(of: Statement<Values, Row>, values: Values) =>
      database.tenant(tenant.merchantId, of, values);
    const searched = query.search?.trim() ? await findRefunds(read, filter, query.search) : null;
    const values = { ...filter, ...newestFirst(query) };
    const rows = await (searched?.list(orderBy, values) ?? read(listRefunds[orderBy], values));
    const payerOf = await readPayersOf(read, tenant, rows);
    const page = continuedPage(rows, limit, (row) =>
      refundOf(row, payerOf.get(row.payment_idempotency_id)),
    );
    if (!query.totals) return page;
    if (searched) return { ...page, totals: await searched.addUp() };
    return { ...page, totals: totalsOf(await read(addRefunds, { ...filter, max }), max) };
  }),
];

const readPayersOf = async (
  read: Read,
  tenant: Tenant,
  rows: readonly RefundRow[],
): Promise<ReadonlyMap<string, Payer>> => {
  const idempotencyIds = rows.map((row) => row.payment_idempotency_id);
  const payers = await read(readPayers, { ...tenant, idempotencyIds });
  return new Map(payers.map((payer) => [payer.payment_idempotency_id, payer]));
};

const refundOf = (row: RefundRow, payer: Payer | undefined): Refund => ({
  ...shown(row),
  payer: payer?.consumer_name ?? null,
  lastFour: payer?.last_four ?? null,
  amount: poundsNumber(pence(row.amount_pence)),
  why: row.waits_for ? (waits[row.waits_for] ?? null) : row.error_description,
});

const waits: Readonly<Record<string, string>> = {
  BALANCE: 'It waits for enough money that payments to the account of its store have brought in.',
  SETTLEMENT: 'It waits until the money of its payment has arrived.',
  OPERATOR: 'It could not be handed over: the operator was told, and it is tried again.',
  REFUND_ACCOUNT_NEEDED: 'The bank did not say which account paid: ask the customer for it.',
};
