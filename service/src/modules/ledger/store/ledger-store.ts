import type { Tenant } from '#kernel/environment.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Account } from '../posting.ts';

// The last snapshot plus every entry after it, in the order that cannot skip a late commit.
const readBalances = statement<
  { merchantId: string; environment: string },
  { account: Account; balance_pence: bigint }
>(
  'ledger_balances',
  sql('merchantId', 'environment')`
   with last as (
     select distinct on (account) account, balance_pence, up_to_written_in
     from ledger_snapshot where merchant_id = :merchantId and environment = :environment
     order by account, up_to_written_in desc),
   later as (
     select e.account, sum(e.amount_pence)::bigint as moved
     from ledger_entry e left join last on last.account = e.account
     where e.merchant_id = :merchantId and e.environment = :environment
       and (last.up_to_written_in is null or e.written_in >= last.up_to_written_in)
     group by e.account)
   select coalesce(last.account, later.account) as account,
     (coalesce(last.balance_pence, 0) + coalesce(later.moved, 0))::bigint as balance_pence
   from last full join later on later.account = last.account
   order by 1`,
);

// Everything below the oldest open transaction is final; a snapshot never counts an entry twice.
const takeSnapshots = statement<{ merchantId: string; environment: string }, { account: Account }>(
  'ledger_take_snapshots',
  sql('merchantId', 'environment')`
   with horizon as (select written_horizon() as up_to),
   last as (
     select distinct on (account) account, balance_pence, up_to_written_in
     from ledger_snapshot where merchant_id = :merchantId and environment = :environment
     order by account, up_to_written_in desc)
   insert into ledger_snapshot (merchant_id, environment, account, balance_pence, up_to_written_in)
   select :merchantId, :environment, e.account,
     (coalesce(max(last.balance_pence), 0) + sum(e.amount_pence))::bigint, horizon.up_to
   from horizon, ledger_entry e left join last on last.account = e.account
   where e.merchant_id = :merchantId and e.environment = :environment
     and e.written_in < (select up_to from horizon)
     and (last.up_to_written_in is null or e.written_in >= last.up_to_written_in)
   group by e.account, horizon.up_to
   on conflict do nothing
   returning account`,
  {
    guardedBy:
      'primary key up to a transaction that every open one is behind; a repeat adds nothing',
  },
);

export const ledgerStore = (database: Database) => ({
  balances: async (tenant: Tenant): Promise<ReadonlyMap<Account, bigint>> => {
    const rows = await database.tenant(tenant.merchantId, readBalances, tenant);
    return new Map(rows.map((row) => [row.account, row.balance_pence]));
  },
  takeSnapshots: async (tenant: Tenant) =>
    (await database.tenant(tenant.merchantId, takeSnapshots, tenant)).map((row) => row.account),
});

type AccountBalanceRow = {
  readonly sort_code: string | null;
  readonly account_number: string | null;
  readonly account: Account;
  readonly balance_pence: bigint;
};

/**
 * Balances of a merchant by the bank account of its stores. What is paid out names the account itself;
 * anything else belongs to the account that its store has now. Null: of no store.
 */
export const readAccountBalances = statement<Tenant, AccountBalanceRow>(
  'ledger_account_balances',
  sql('merchantId', 'environment')`
   with moved as (
     select e.account, e.store_id,
       case when e.reason like 'PAYOUT%' then e.creditor_account end as paid_account,
       sum(e.amount_pence) as pence
     from ledger_entry e
     where e.merchant_id = :merchantId and e.environment = :environment group by 1, 2, 3)
   select coalesce(left(m.paid_account, 6), a.sort_code) as sort_code,
     coalesce(right(m.paid_account, 8), a.account_number) as account_number, m.account,
     sum(m.pence)::bigint as balance_pence
   from moved m
   left join store_bank_account a on a.merchant_id = :merchantId
     and a.environment = :environment and a.store_id = m.store_id
   group by 1, 2, 3 order by 1, 2, 3`,
);
