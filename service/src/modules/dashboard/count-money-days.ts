import { type Tenant, tenantOf } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff } from '#platform/database/stuck-rows.ts';
import { runInTurn } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { left, noStore, readAccounts } from './money.ts';

/** Tenants with entries that are not counted yet. */
const listTenantsToCount = statement<
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
const beginCounting = statement<Tenant, never>(
  'money_day_begin',
  sql('merchantId', 'environment')`
   insert into money_day_cursor (merchant_id, environment, counted_in)
   values (:merchantId, :environment, '0'::xid8) on conflict do nothing`,
  { guardedBy: 'primary key: the second of two finds it there' },
);

/** Of a payment that was completed alone: what goes off has no tip of its own. */
const withinSales = ['tip_pence', 'tax_pence', 'service_pence']
  .map(
    (column) => `coalesce(sum(a.${column}) filter (where e.reason = 'PAYMENT_COMPLETED'), 0)::bigint
         as ${column}`,
  )
  .join(', ');

/**
 * Below the oldest open transaction only: nothing can come before what is counted. And at most so many
 * entries of each account, with the rest of the transaction that wrote the last: a merchant's years do not
 * fit in the time of one statement.
 */
const addUpEntries = statement<
  Tenant & StoreEntries & { readonly accounts: readonly string[]; readonly maxEntries: number },
  { readonly has_more: boolean }
>(
  'money_day_add',
  sql('merchantId', 'environment', 'accounts', 'owed', 'reasons', 'maxEntries')`
   with cursor as materialized (
     select counted_in from money_day_cursor
     where merchant_id = :merchantId and environment = :environment for update),
   horizon as materialized (select written_horizon() as up_to),
   step as materialized (
     select min(e.written_in) as last_in from unnest(:accounts::text[]) as known (account)
     cross join lateral (
       select written_in from ledger_entry
       where merchant_id = :merchantId and environment = :environment and account = known.account
         and written_in > (select counted_in from cursor)
         and written_in < (select up_to from horizon)
       order by written_in offset :maxEntries::int - 1 limit 1) e),
   moved as materialized (
     select london_day(e.occurred_at) as day, e.account, e.reason,
       sum(e.amount_pence)::bigint as amount_pence, sum(sign(e.amount_pence))::bigint as net_entries,
       min(e.written_in::text::bigint) as first_in, max(e.written_in::text::bigint) as last_in
     from unnest(:accounts::text[]) as known (account)
     join ledger_entry e on e.merchant_id = :merchantId and e.environment = :environment
       and e.account = known.account and e.written_in > (select counted_in from cursor)
       and e.written_in < (select up_to from horizon)
       and e.written_in <= (select coalesce(last_in, (select up_to from horizon)) from step)
     group by 1, 2, 3),
   added as (
     insert into money_day as d (merchant_id, environment, day, account, reason, amount_pence,
       net_entries, first_in, last_in)
     select :merchantId, :environment, day, account, reason, amount_pence, net_entries, first_in,
       last_in
     from moved
     on conflict (merchant_id, environment, day, account, reason) do update set
       amount_pence = d.amount_pence + excluded.amount_pence,
       net_entries = d.net_entries + excluded.net_entries, last_in = excluded.last_in),
   of_stores as materialized (
     select london_day(e.occurred_at) as day, coalesce(e.store_id, ${noStore}) as store_id, e.reason,
       coalesce(a.method, r.method, 'NONE') as method, sum(-e.amount_pence)::bigint as amount_pence,
       ${withinSales}
     from unnest(:owed::text[]) as known (account)
     join ledger_entry e on e.merchant_id = :merchantId and e.environment = :environment
       and e.account = known.account and e.written_in > (select counted_in from cursor)
       and e.written_in < (select up_to from horizon) and e.reason = any (:reasons::text[])
       and e.written_in <= (select coalesce(last_in, (select up_to from horizon)) from step)
     left join attempt a on a.merchant_id = :merchantId and a.environment = :environment
       and a.attempt_id = e.attempt_id
     left join refund r on r.merchant_id = :merchantId and r.environment = :environment
       and r.refund_id = e.resource_id and e.attempt_id is null
     group by 1, 2, 3, 4),
   added_to_stores as (
     insert into money_store_day as d (merchant_id, environment, day, store_id, reason, method,
       amount_pence, tip_pence, tax_pence, service_pence)
     select :merchantId, :environment, s.* from of_stores s
     on conflict (merchant_id, environment, day, store_id, reason, method) do update set
       amount_pence = d.amount_pence + excluded.amount_pence, tip_pence = d.tip_pence + excluded.tip_pence,
       tax_pence = d.tax_pence + excluded.tax_pence,
       service_pence = d.service_pence + excluded.service_pence),
   counted as (
     update money_day_cursor set counted_in = (select max(last_in) from moved)::text::xid8
     where merchant_id = :merchantId and environment = :environment
       and exists (select from moved))
   select last_in is not null as has_more from step`,
  { guardedBy: 'the locked cursor: the second of two counts after what the first has counted' },
);

type StoreEntries = { readonly owed: readonly string[]; readonly reasons: readonly string[] };

const maxTenants = 200;

/** Of each account in one statement, and statements of one tenant in a round: the next round goes on. */
const usualSteps = { maxEntries: 20_000, maxSteps: 50 };

/** Counts the entries that readers had to add themselves. Safe to run anywhere, any number of times. */
export const addUpMoneyDays = async (
  tools: Uses<'database' | 'log'>,
  { maxEntries, maxSteps } = usualSteps,
): Promise<number> => {
  const { database } = tools;
  const accounts = readAccounts;
  const rows = await database.system(listTenantsToCount, { limit: maxTenants, accounts });
  const subjectOf = (row: { readonly merchant_id: string }) => row.merchant_id;
  await runInTurn(tools, 'MONEY_DAY', rows, subjectOf, async (row) => {
    const tenant = tenantOf(row);
    await database.tenant(tenant.merchantId, beginCounting, tenant);
    const entries = { accounts, owed: [...left.accounts], reasons: [...left.reasons], maxEntries };
    for (let hasMore = true, step = 0; hasMore && step < maxSteps; step += 1) {
      const added = await database.tenant(tenant.merchantId, addUpEntries, {
        ...tenant,
        ...entries,
      });
      hasMore = added[0]?.has_more ?? false;
    }
  });
  // Entries go on coming, and the newest may wait for an open transaction: the next round will do.
  return 0;
};
