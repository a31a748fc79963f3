import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Account } from '../posting.ts';

export type AccountBalanceRow = {
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
