import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff } from '#platform/database/stuck-rows.ts';

/** Tenants with entries that are not counted yet. */
export const listTenantsToCount = statement<
  { readonly limit: number; readonly accounts: readonly string[] },
  { readonly merchant_id: string; readonly environment: Tenant['environment'] }
>(
  'money_day_tenants',
  sql('limit', 'accounts')`
   select w.merchant_id, w.environment from merchant_switch w
   left join money_day_cursor c
     on c.merchant_id = w.merchant_id and c.environment = w.environment
   -- each account by itself, as the index is sorted: what is counted already is not read
   where exists (select from unnest(:accounts::text[]) as known (account)
     join ledger_entry e on e.merchant_id = w.merchant_id and e.environment = w.environment
       and e.account = known.account and e.written_in > coalesce(c.counted_in, '0'::xid8))
     and ${isNotPutOff('w', 'merchant_id', 'MONEY_DAY')}
   order by w.environment limit :limit`,
);

/** A first cursor: what is counted is decided by the statement that locks it. */
export const beginCounting = statement<Tenant, never>(
  'money_day_begin',
  sql('merchantId', 'environment')`
   insert into money_day_cursor (merchant_id, environment, counted_in)
   values (:merchantId, :environment, '0'::xid8) on conflict do nothing`,
  { guardedBy: 'primary key: the second of two finds it there' },
);

// Below the oldest open transaction only: nothing can come before what is counted.
export const addUpEntries = statement<
  Tenant & { readonly accounts: readonly string[] },
  { readonly added: bigint }
>(
  'money_day_add',
  sql('merchantId', 'environment', 'accounts')`
   with cursor as materialized (
     select counted_in from money_day_cursor
     where merchant_id = :merchantId and environment = :environment for update),
   horizon as materialized (select written_horizon() as up_to),
   moved as materialized (
     select london_day(e.occurred_at) as day, e.account, e.reason,
       sum(e.amount_pence)::bigint as amount_pence, count(*) as entries,
       min(e.written_in::text::bigint) as first_in, max(e.written_in::text::bigint) as last_in
     from unnest(:accounts::text[]) as known (account)
     join ledger_entry e on e.merchant_id = :merchantId and e.environment = :environment
       and e.account = known.account and e.written_in > (select counted_in from cursor)
       and e.written_in < (select up_to from horizon)
     group by 1, 2, 3),
   added as (
     insert into money_day as d (merchant_id, environment, day, account, reason, amount_pence,
       entries, first_in, last_in)
     select :merchantId, :environment, day, account, reason, amount_pence, entries, first_in, last_in
     from moved
     on conflict (merchant_id, environment, day, account, reason) do update set
       amount_pence = d.amount_pence + excluded.amount_pence,
       entries = d.entries + excluded.entries, last_in = excluded.last_in),
   counted as (
     update money_day_cursor set counted_in = (select max(last_in) from moved)::text::xid8
     where merchant_id = :merchantId and environment = :environment
       and exists (select from moved))
   select coalesce(sum(entries), 0)::bigint as added from moved`,
  { guardedBy: 'the locked cursor: the second of two counts after what the first has counted' },
);

type Read = Tenant & {
  readonly accounts: readonly string[];
  readonly fromDay: string;
  readonly toDay: string;
};

export type MoneySumRow = {
  /** Null: outside the days that were chosen. */
  readonly day: string | null;
  readonly account: string;
  readonly reason: string;
  readonly amount_pence: bigint;
  readonly entries: bigint;
};

/** Counted days and the entries after them, in one snapshot: no entry is missed or read twice. */
export const readMoneySums = statement<Read, MoneySumRow>(
  'money_day_read',
  sql('merchantId', 'environment', 'accounts', 'fromDay', 'toDay')`
   with cursor as materialized (
     select coalesce(max(counted_in::text::bigint), 0)::text::xid8 as counted_in
     from money_day_cursor where merchant_id = :merchantId and environment = :environment),
   moved as (
     select d.day, d.account, d.reason, d.amount_pence, d.entries from money_day d
     where d.merchant_id = :merchantId and d.environment = :environment
     union all
     -- sorted as the index is: the planner takes the few entries after the cursor for a third of all
     select london_day(f.occurred_at), f.account, f.reason, f.amount_pence, 1
     from unnest(:accounts::text[]) as known (account) cross join lateral (
       select e.occurred_at, e.account, e.reason, e.amount_pence from ledger_entry e
       where e.merchant_id = :merchantId and e.environment = :environment
         and e.account = known.account and e.written_in > (select counted_in from cursor)
       order by e.written_in, e.entry_id offset 0) f)
   select case when day between :fromDay::date and :toDay::date then day::text end as day,
     account, reason, sum(amount_pence)::bigint as amount_pence, sum(entries)::bigint as entries
   from moved group by 1, 2, 3`,
);

export type MoneyRow = {
  readonly written_in: string;
  readonly entry_id: bigint;
  readonly reason: string;
  readonly amount_pence: bigint;
  readonly occurred_at: Date;
  readonly resource_id: string;
  readonly refund_id: string | null;
  readonly payment_request_id: string | null;
  readonly order_id: string | null;
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
export const listMoneyEntries = statement<
  Read & {
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
   select e.written_in::text, e.entry_id, e.reason, e.amount_pence, e.occurred_at, e.resource_id,
     e.refund_id, q.payment_request_id, q.order_id
   from named e
   left join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = e.payment_request_id
   order by e.written_in desc, e.entry_id desc`,
);
