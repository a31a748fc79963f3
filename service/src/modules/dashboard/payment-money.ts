import { failures, payoutLineTypes } from '@florin/contract';
import {
  getPaymentMoney,
  listPayoutStores,
  type moneyFigures,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { addPence, noPence, type Pence, pence, poundsNumber } from '#kernel/pence.ts';
import { statementReference } from '#modules/checkout/index.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import { lineTypeOf } from '#modules/payouts/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { countsFor, figures } from './money.ts';

type OfPayment = Tenant & { readonly paymentRequestId: string };

const findOrder = statement<OfPayment, { readonly order_id: string; readonly by_bank: boolean }>(
  'dashboard_payment_order',
  sql('merchantId', 'environment', 'paymentRequestId')`
   select q.order_id, exists (select from attempt a where a.merchant_id = :merchantId
       and a.environment = :environment and a.payment_request_id = q.payment_request_id
       and a.method = 'PAY_BY_BANK') as by_bank
   from payment_request q
   where q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = :paymentRequestId::uuid`,
);

/** Its entries, and those of its refunds. */
const entriesCtes = sql('merchantId', 'environment', 'paymentRequestId')`
   resource as materialized (
     select :paymentRequestId::uuid as id
     union all
     select f.refund_id from refund f where f.merchant_id = :merchantId
       and f.environment = :environment and f.payment_request_id = :paymentRequestId::uuid),
   entry as materialized (
     select e.entry_id, e.account, e.reason, e.amount_pence from resource r
     join ledger_entry e on e.merchant_id = :merchantId and e.environment = :environment
       and e.resource_id = r.id)`;

type SumRow = { readonly account: string; readonly reason: string; readonly pence: bigint };

const sumEntries = statement<OfPayment, SumRow>(
  'dashboard_payment_sums',
  sql()`
   with ${entriesCtes}
   select account, reason, sum(amount_pence)::bigint as pence from entry group by 1, 2`,
);

type PayoutRow = {
  readonly payout_id: string;
  readonly reference: string;
  readonly status: 'PENDING' | 'PROCESSING' | 'SETTLED' | 'FAILED';
  readonly pence: bigint;
  readonly settled_at: Date | null;
  readonly closes_at: Date;
};

const listPayoutsOf = statement<OfPayment, PayoutRow>(
  'dashboard_payment_payouts',
  sql('merchantId', 'environment')`
   with ${entriesCtes},
   line as materialized (
     select l.payout_id, sum(l.amount_pence)::bigint as pence, min(l.entry_id) as first
     from entry e
     join payout_line l on l.merchant_id = :merchantId and l.environment = :environment
       and l.entry_id = e.entry_id and l.state = 'CURRENT'
     group by l.payout_id)
   select p.payout_id, p.reference, p.status, line.pence,
     case when p.status = 'SETTLED' then p.finalized_at end as settled_at,
     p.period_ends_business_at as closes_at
   from line
   join payout p on p.merchant_id = :merchantId and p.environment = :environment
     and p.payout_id = line.payout_id
   order by line.first`,
);

type StoreRow = {
  readonly store_id: string;
  readonly store_name: string;
  readonly lines: number;
  readonly amount_pence: bigint;
  readonly first_at: Date;
  readonly last_at: Date;
};

/** A row without a store: the payout has no line yet. No row: there is no such payout. */
const addStoreLines = statement<
  Tenant & { readonly payoutId: string },
  StoreRow | { readonly store_id: null }
>(
  'dashboard_payout_stores',
  sql('merchantId', 'environment', 'payoutId')`
   select l.store_id, case when l.store_id is not null
       then ${shownStoreNameSql('s')} end as store_name, l.lines, l.amount_pence,
     l.first_at, l.last_at
   from payout p
   left join (select store_id, count(*)::int as lines, sum(amount_pence)::bigint as amount_pence,
       min(occurred_at) as first_at, max(occurred_at) as last_at
     from payout_line where merchant_id = :merchantId and environment = :environment
       and payout_id = :payoutId::uuid
     group by store_id) l on true
   left join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = l.store_id
   where p.merchant_id = :merchantId and p.environment = :environment
     and p.payout_id = :payoutId::uuid
   order by l.amount_pence desc, l.store_id`,
);

const addKindLines = statement<
  Tenant & { readonly payoutId: string },
  { readonly reason: string; readonly lines: number; readonly amount_pence: bigint }
>(
  'dashboard_payout_kinds',
  sql('merchantId', 'environment', 'payoutId')`
   select reason, count(*)::int as lines, sum(amount_pence)::bigint as amount_pence
   from payout_line where merchant_id = :merchantId and environment = :environment
     and payout_id = :payoutId::uuid
   group by reason order by amount_pence desc, reason`,
);

/** What is left of a payment, and where it is; what of a payout is of which store (DASHBOARD-43). */
export const paymentMoneyRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(listPayoutStores, async ({ params: { payoutId } }, { tenant }) => {
    const { database } = tools;
    const values = { ...tenant, payoutId };
    const [rows, kinds] = await Promise.all([
      database.tenant(tenant.merchantId, addStoreLines, values),
      database.tenant(tenant.merchantId, addKindLines, values),
    ]);
    if (rows.length === 0) throw new Failure(failures.notFound);
    const stores = rows.flatMap((row) => (row.store_id === null ? [] : [row]));
    const timesOf = (of: 'first_at' | 'last_at'): readonly string[] =>
      stores.map((row) => row[of].toISOString()).toSorted();
    return {
      firstAt: timesOf('first_at')[0] ?? null,
      lastAt: timesOf('last_at').at(-1) ?? null,
      data: stores.map((row) => ({
        ...{ storeId: row.store_id, storeName: row.store_name, lines: row.lines },
        amount: poundsNumber(pence(row.amount_pence)),
      })),
      kinds: addUpKinds(kinds),
    };
  }),
  route(getPaymentMoney, async ({ params: { paymentRequestId } }, { tenant }) => {
    const values = { ...tenant, paymentRequestId };
    const { database } = tools;
    const [[order], sums, payouts] = await Promise.all([
      database.tenant(tenant.merchantId, findOrder, values),
      database.tenant(tenant.merchantId, sumEntries, values),
      database.tenant(tenant.merchantId, listPayoutsOf, values),
    ]);
    if (!order) throw new Failure(failures.notFound);
    const sold = sumOf(sums, 'SOLD');
    const refunded = sumOf(sums, 'REFUNDED');
    const reversed = sumOf(sums, 'REVERSED');
    const fees = sumOf(sums, 'FEES');
    return {
      sold: poundsNumber(sold),
      refunded: poundsNumber(refunded),
      reversed: poundsNumber(reversed),
      fees: poundsNumber(fees),
      net: poundsNumber(pence(sold - refunded - reversed - fees)),
      statementText: order.by_bank ? statementReference(order.order_id) : null,
      paidDirectly: poundsNumber(sumOf(sums, 'PAID_DIRECTLY')),
      payouts: payouts.map((row) => ({
        payoutId: row.payout_id,
        reference: row.reference,
        status: row.status,
        amount: poundsNumber(pence(row.pence)),
        settledAt: row.settled_at?.toISOString() ?? null,
        closesAt: row.closes_at.toISOString(),
      })),
    };
  }),
];

type Figure = (typeof moneyFigures)[number];

const sumOf = (rows: readonly SumRow[], figure: Figure): Pence => {
  const source = figures[figure];
  return rows
    .filter((row) => countsFor(source, row))
    .reduce((sum, row) => addPence(sum, pence(source.sign * row.pence)), noPence);
};

/** Several reasons are of one kind. */
const addUpKinds = (rows: readonly { reason: string; lines: number; amount_pence: bigint }[]) =>
  payoutLineTypes.flatMap((lineType) => {
    const some = rows.filter(({ reason }) => lineTypeOf(reason) === lineType);
    if (some.length === 0) return [];
    const amount = some.reduce((sum, row) => addPence(sum, pence(row.amount_pence)), noPence);
    const lines = some.reduce((sum, row) => sum + row.lines, 0);
    return [{ lineType, lines, amount: poundsNumber(amount) }];
  });
