import type { QueryOf, ReplyOf } from '@florin/contract';
import { listMoneyRows as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import { type Continued, continuedPage } from '#platform/database/pages.ts';
import { type RowOf, shown } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { figures, left, leftFigureOf } from './money.ts';

type Shown = ReplyOf<typeof operation>['data'][number];
type Amounts = 'amount' | 'tipAmount' | 'taxAmount' | 'serviceAmount';
type MoneyRow = Continued &
  RowOf<Omit<Shown, 'figure' | 'resource' | Amounts>, 'occurredAt' | 'settledAt' | 'paidOutAt'> & {
    readonly amount_pence: bigint;
    readonly tip_pence: bigint | null;
    readonly tax_pence: bigint | null;
    readonly service_pence: bigint | null;
    readonly refund_id: string | null;
  };

const entry = sql(
  'merchantId',
  'environment',
  'reasons',
  'storeId',
  'fromDay',
  'toDay',
  'beforeIn',
  'beforeId',
)`
   e.merchant_id = :merchantId and e.environment = :environment and e.account = known.account
     and (:reasons::text[] is null or e.reason = any (:reasons::text[]))
     and (:storeId::uuid is null or e.store_id = :storeId::uuid)
     and e.occurred_at >= london_midnight(:fromDay::date)
     and e.occurred_at < london_midnight(:toDay::date + 1)
     and e.written_in <= :beforeIn::text::xid8
     and (e.written_in, e.entry_id) < (:beforeIn::text::xid8, :beforeId::bigint)`;

/** What is in payouts: of a sale its settlement, of anything else the entry itself. */
const payableOf = sql('merchantId', 'environment')`
   select x.entry_id, x.occurred_at from ledger_entry x
   where x.merchant_id = :merchantId and x.environment = :environment
     and x.resource_id = e.resource_id and x.account = 'MERCHANT_PAYABLE'
     and x.written_at >= e.written_at
     and (x.entry_id = e.entry_id or (e.reason = 'PAYMENT_COMPLETED'
       and x.reason = 'PAYMENT_SETTLED' and x.attempt_id is not distinct from e.attempt_id))
   order by x.entry_id limit 1`;

const newest = sql('limit')`order by e.written_in desc, e.entry_id desc limit :limit::int`;

/** The counted days say between which transaction numbers the entries of a day lie. */
const listMoneyEntries = statement<
  Tenant & {
    readonly accounts: readonly string[];
    readonly fromDay: string;
    readonly toDay: string;
    readonly reasons: readonly string[] | null;
    readonly storeId: string | null;
    readonly beforeIn: string;
    readonly beforeId: string;
    readonly limit: number;
  },
  MoneyRow
>(
  'money_day_entries',
  sql('merchantId', 'environment', 'accounts', 'reasons', 'fromDay', 'toDay', 'limit')`
   with cursor as materialized (
     select coalesce(max(counted_in::text::bigint), 0)::text::xid8 as counted_in
     from money_day_cursor where merchant_id = :merchantId and environment = :environment),
   bounds as materialized (
     select coalesce(min(first_in), 1)::text::xid8 as first_in,
       coalesce(max(last_in), 0)::text::xid8 as last_in
     from money_day
     where merchant_id = :merchantId and environment = :environment
       and day between :fromDay::date and :toDay::date and account = any (:accounts::text[])
       and (:reasons::text[] is null or reason = any (:reasons::text[]))),
   found as materialized (
     select f.* from unnest(:accounts::text[]) as known (account) cross join lateral (
       (select e.* from ledger_entry e where ${entry}
          and e.written_in > (select counted_in from cursor) ${newest})
       union all
       (select e.* from ledger_entry e where ${entry}
          and e.written_in >= (select first_in from bounds)
          and e.written_in <= (select last_in from bounds) ${newest})) f
     order by f.written_in desc, f.entry_id desc limit :limit::int),
   -- columns of their own: row-level security lets no index be searched by an expression
   named as materialized (
     select e.*, f.refund_id, coalesce(f.payment_request_id, e.resource_id) as payment_request_id,
       coalesce(e.attempt_id, f.attempt_id) as paid_attempt_id
     from found e
     left join refund f on f.merchant_id = :merchantId and f.environment = :environment
       and f.refund_id = e.resource_id),
   placed as materialized (
     select e.*, s.entry_id as settled_entry_id, s.occurred_at as settled_at from named e
     left join lateral (${payableOf}) s on true)
   select e.written_in || '.' || e.entry_id as goes_on, e.reason, e.amount_pence, e.occurred_at,
     e.resource_id, e.refund_id, q.payment_request_id, q.order_id,
     q.merchant_customer_reference as customer_id, a.consumer_name as customer_name, a.method,
     case when e.reason = 'PAYMENT_COMPLETED' then a.tip_pence end as tip_pence,
     case when e.reason = 'PAYMENT_COMPLETED' then a.tax_pence end as tax_pence,
     case when e.reason = 'PAYMENT_COMPLETED' then a.service_pence end as service_pence,
     ${shownStoreNameSql('s')} as store_name, e.settled_at, p.payout_id,
     p.reference as payout_reference,
     case when p.status = 'SETTLED' then p.finalized_at end as paid_out_at
   from placed e
   left join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = e.payment_request_id
   left join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = e.paid_attempt_id
   left join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = e.store_id
   left join lateral (select l.payout_id from payout_line l where l.merchant_id = :merchantId
     and l.environment = :environment and l.entry_id = e.settled_entry_id
     and l.state = 'CURRENT' limit 1) l on true
   left join payout p on p.merchant_id = :merchantId and p.environment = :environment
     and p.payout_id = coalesce(l.payout_id, e.resource_id)
   order by e.written_in desc, e.entry_id desc`,
);

const last = '9223372036854775807';

/** The entries that a figure of the same days is the sum of. */
export const listMoneyRows = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { figure, storeId, from, to, before, limit }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const { accounts, reasons, sign } = figure ? figures[figure] : left;
  const [beforeIn = last, beforeId = last] = before?.split('.') ?? [];
  const rows = await tools.database.tenant(tenant.merchantId, listMoneyEntries, {
    ...tenant,
    accounts,
    reasons,
    storeId: storeId ?? null,
    fromDay: from ?? '1900-01-01',
    toDay: to ?? '2999-12-31',
    beforeIn,
    beforeId,
    limit: limit + 1,
  });
  return continuedPage(rows, limit, (row) => ({
    ...shown(row),
    figure: figure ?? leftFigureOf(row.reason),
    amount: poundsNumber(pence(sign * row.amount_pence)),
    tipAmount: poundsOf(row.tip_pence),
    taxAmount: poundsOf(row.tax_pence),
    serviceAmount: poundsOf(row.service_pence),
    resource: resourceOf(row),
  }));
};

const poundsOf = (amount: bigint | null): number | null =>
  amount === null ? null : poundsNumber(pence(amount));

const resourceOf = (row: MoneyRow): 'PAYMENT' | 'REFUND' | 'PAYOUT' => {
  if (row.refund_id !== null) return 'REFUND';
  return row.payment_request_id === null ? 'PAYOUT' : 'PAYMENT';
};

export const moneyRowRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(operation, ({ query }, { tenant }) => listMoneyRows(tools, tenant, query)),
];
