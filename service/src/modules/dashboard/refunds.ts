import { limits, type ReplyOf } from '@florin/contract';
import { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, penceFromPounds, poundsNumber } from '#kernel/pence.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import {
  type Continued,
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
import { type RowOf, shown } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type Refund = ReplyOf<typeof listMerchantRefunds>['data'][number];
type RefundRow = Continued &
  RowOf<Omit<Refund, 'amount' | 'why' | 'payer' | 'lastFour'>, 'createdAt' | 'updatedAt'> & {
    readonly amount_pence: bigint;
    readonly error_description: string | null;
  };

type Filter = Tenant & {
  readonly status: string | null;
  readonly storeId: string | null;
  readonly fromDay: string;
  readonly toDay: string;
};

type Search = {
  readonly search: string;
  readonly searchPence: string | null;
  readonly max: number;
};

const isFound = sql('merchantId', 'environment', 'status', 'storeId', 'fromDay', 'toDay')`
   f.merchant_id = :merchantId and f.environment = :environment
     and f.created_at >= london_midnight(:fromDay::date)
     and f.created_at < london_midnight(:toDay::date + 1)
     and (:status::text is null or f.status = :status::text)
     and (:storeId::uuid is null or f.store_id = :storeId::uuid)`;

/** Of a part of its order, or of an amount. */
const isNamed = sql('search', 'searchPence')`
   (f.amount_pence = :searchPence::bigint
     or strpos(lower(f.order_id), lower(:search::text)) > 0)`;

/** The newest: no index finds a part of an order. */
const searched = sql('max')`
   (select f.* from refund f where ${isFound} order by f.created_at desc limit :max::int) f
     where ${isNamed}`;

const shownColumns = sql('merchantId')`
   select f.refund_id, f.payment_request_id, f.payment_idempotency_id, f.order_id, f.amount_pence,
     f.status, f.waits_for, f.error_description, f.method, f.notes, f.created_at, f.updated_at,
     ${shownStoreNameSql('s')} as store_name, f.goes_on`;
const withStore = sql('merchantId', 'environment')`
   left join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = f.store_id`;

const listRefunds = inEachOrder((sort) =>
  statement<Filter & NewestFirst, RefundRow>(
    `dashboard_refunds_${sort.toLowerCase()}`,
    sql()`${shownColumns}
   from (select f.*, ${goesOn('f', 'refund_id', sort)} from refund f
     where ${isFound}${newestFirstSql('f', 'refund_id', sort)} offset 0) f${withStore}
   order by ${orderSql('f', 'refund_id', sort)}`,
    plannedFor(sort),
  ),
);

const searchRefunds = inEachOrder((sort) =>
  statement<Filter & Search & NewestFirst, RefundRow>(
    `dashboard_refunds_search_${sort.toLowerCase()}`,
    sql()`${shownColumns}
   from (select f.*, ${goesOn('f', 'refund_id', sort)}
     from ${searched}${newestFirstSql('f', 'refund_id', sort)} offset 0) f${withStore}
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
const addRefunds = statement<Filter & { readonly max: number }, TotalRow>(
  'dashboard_refund_totals',
  sql('max')`
   select status, count(*) as items, sum(amount_pence)::bigint as amount_pence
   from (select f.status, f.amount_pence from refund f where ${isFound}
     order by f.created_at desc limit :max::int) f
   group by status order by status`,
);

const addSearched = statement<Filter & Search, TotalRow>(
  'dashboard_refund_totals_search',
  sql()`
   select status, count(*) as items, sum(amount_pence)::bigint as amount_pence
   from ${searched}
   group by status order by status`,
);

export const refundRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(listMerchantRefunds, async ({ query }, { tenant }) => {
    const { status = null, storeId = null, from = '1900-01-01', to = '2999-12-31' } = query;
    const { orderBy = 'NEWEST', totals, limit } = query;
    const max = limits.totalsReadMax;
    const filter = { ...tenant, status, storeId, fromDay: from, toDay: to };
    const search = query.search?.trim();
    const searchPence = penceFromPounds(search ?? '')?.toString() ?? null;
    const named = search ? { ...filter, search, searchPence, max } : null;
    const read = <Values, Row>(of: Statement<Values, Row>, values: Values) =>
      database.tenant(tenant.merchantId, of, values);
    const rows = await (named
      ? read(searchRefunds[orderBy], { ...named, ...newestFirst(query) })
      : read(listRefunds[orderBy], { ...filter, ...newestFirst(query) }));
    const payerOf = await readPayersOf(read, tenant, rows);
    const page = continuedPage(rows, limit, (row) =>
      refundOf(row, payerOf.get(row.payment_idempotency_id)),
    );
    if (!totals) return page;
    const added = await (named ? read(addSearched, named) : read(addRefunds, { ...filter, max }));
    return { ...page, totals: totalsOf(added, max) };
  }),
];

type Read = <Values, Row>(of: Statement<Values, Row>, values: Values) => Promise<Row[]>;

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
