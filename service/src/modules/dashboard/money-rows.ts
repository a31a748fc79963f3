import type { QueryOf, ReplyOf } from '@florin/contract';
import { listMoneyRows as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { type Continued, continuedPage } from '#platform/database/pages.ts';
import { type RowOf, shown } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { figures } from './money.ts';

type Shown = ReplyOf<typeof operation>['data'][number];
type MoneyRow = Continued &
  RowOf<Omit<Shown, 'figure' | 'amount' | 'resource'>, 'occurredAt'> & {
    readonly amount_pence: bigint;
    readonly refund_id: string | null;
  };

const entry = sql(
  'merchantId',
  'environment',
  'reasons',
  'fromDay',
  'toDay',
  'beforeIn',
  'beforeId',
)`
   e.merchant_id = :merchantId and e.environment = :environment and e.account = known.account
     and (:reasons::text[] is null or e.reason = any (:reasons::text[]))
     and e.occurred_at >= london_midnight(:fromDay::date)
     and e.occurred_at < london_midnight(:toDay::date + 1)
     and e.written_in <= :beforeIn::text::xid8
     and (e.written_in, e.entry_id) < (:beforeIn::text::xid8, :beforeId::bigint)`;

const newest = sql('limit')`order by e.written_in desc, e.entry_id desc limit :limit::int`;

/** The counted days say between which transaction numbers the entries of a day lie. */
const listMoneyEntries = statement<
  Tenant & {
    readonly accounts: readonly string[];
    readonly fromDay: string;
    readonly toDay: string;
    readonly reasons: readonly string[] | null;
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
   -- a column of its own: row-level security lets no index be searched by an expression
   named as materialized (
     select e.*, f.refund_id, coalesce(f.payment_request_id, e.resource_id) as payment_request_id
     from found e
     left join refund f on f.merchant_id = :merchantId and f.environment = :environment
       and f.refund_id = e.resource_id)
   select e.written_in || '.' || e.entry_id as goes_on, e.reason, e.amount_pence, e.occurred_at,
     e.resource_id, e.refund_id, q.payment_request_id, q.order_id
   from named e
   left join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = e.payment_request_id
   order by e.written_in desc, e.entry_id desc`,
);

const last = '9223372036854775807';

/** The entries that a figure of the same days is the sum of. */
export const listMoneyRows = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { figure, from, to, before, limit }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
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
  return continuedPage(rows, limit, (row) => ({
    ...shown(row),
    figure,
    amount: poundsNumber(pence(sign * row.amount_pence)),
    resource: resourceOf(row),
  }));
};

const resourceOf = (row: MoneyRow): 'PAYMENT' | 'REFUND' | 'PAYOUT' => {
  if (row.refund_id !== null) return 'REFUND';
  return row.payment_request_id === null ? 'PAYOUT' : 'PAYMENT';
};

export const moneyRowRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(operation, ({ query }, { tenant }) => listMoneyRows(tools, tenant, query)),
];
