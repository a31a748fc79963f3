import { limits, type ReplyOf } from '@florin/contract';
import { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
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
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type Refund = ReplyOf<typeof listMerchantRefunds>['data'][number];
type RefundRow = Continued &
  RowOf<Omit<Refund, 'amount' | 'why'>, 'createdAt' | 'updatedAt'> & {
    readonly amount_pence: bigint;
    readonly error_description: string | null;
  };

type Filter = Tenant & {
  readonly status: string | null;
  readonly storeId: string | null;
  readonly fromDay: string;
  readonly toDay: string;
};

const isFound = sql('merchantId', 'environment', 'status', 'storeId', 'fromDay', 'toDay')`
   f.merchant_id = :merchantId and f.environment = :environment
     and f.created_at >= london_midnight(:fromDay::date)
     and f.created_at < london_midnight(:toDay::date + 1)
     and (:status::text is null or f.status = :status::text)
     and (:storeId::uuid is null or f.store_id = :storeId::uuid)`;

const listRefunds = inEachOrder((sort) =>
  statement<Filter & NewestFirst, RefundRow>(
    `dashboard_refunds_${sort.toLowerCase()}`,
    sql('merchantId', 'environment')`
   select f.refund_id, f.payment_request_id, f.payment_idempotency_id, f.order_id, f.amount_pence,
     f.status, f.waits_for, f.error_description, f.method, f.notes, f.created_at, f.updated_at,
     ${shownStoreNameSql('s')} as store_name, f.goes_on
   from (select f.*, ${goesOn('f', 'refund_id', sort)} from refund f
     where ${isFound}${newestFirstSql('f', 'refund_id', sort)} offset 0) f
   left join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = f.store_id
   order by ${orderSql('f', 'refund_id', sort)}`,
    plannedFor(sort),
  ),
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

export const refundRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(listMerchantRefunds, async ({ query }, { tenant }) => {
    const { status = null, storeId = null, from = '1900-01-01', to = '2999-12-31' } = query;
    const { orderBy = 'NEWEST', totals, limit } = query;
    const filter = { ...tenant, status, storeId, fromDay: from, toDay: to };
    const values = { ...filter, ...newestFirst(query) };
    const rows = await database.tenant(tenant.merchantId, listRefunds[orderBy], values);
    const page = continuedPage(rows, limit, refundOf);
    if (!totals) return page;
    const max = limits.totalsReadMax;
    const added = await database.tenant(tenant.merchantId, addRefunds, { ...filter, max });
    return { ...page, totals: totalsOf(added, max) };
  }),
];

const refundOf = (row: RefundRow): Refund => ({
  ...shown(row),
  amount: poundsNumber(pence(row.amount_pence)),
  why: row.waits_for ? (waits[row.waits_for] ?? null) : row.error_description,
});

const waits: Readonly<Record<string, string>> = {
  BALANCE: 'It waits for enough money that payments to the account of its store have brought in.',
  SETTLEMENT: 'It waits until the money of its payment has arrived.',
  OPERATOR: 'It could not be handed over: the operator was told, and it is tried again.',
  REFUND_ACCOUNT_NEEDED: 'The bank did not say which account paid: ask the customer for it.',
};
