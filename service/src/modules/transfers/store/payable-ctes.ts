import { sql } from '#platform/database/sql.ts';

/**
 * The account that payable money of a store is settled to: the bank account that it has now, as `b`. A
 * store without one is settled by itself.
 */
export const settlementAccountSql = (storeId: string): string =>
  `coalesce(b.sort_code || b.account_number, ${storeId}::text)`;

/** A condition on `ledger_entry e`: it belongs to the payable balance and is in no payout yet. */
export const isUnattachedSql = sql('merchantId', 'environment')`
   e.merchant_id = :merchantId and e.environment = :environment
       and e.account = 'MERCHANT_PAYABLE' and e.reason not like 'PAYOUT%'
       and e.written_in >= coalesce((select c.up_to_written_in from payout_cursor c
         where c.merchant_id = :merchantId and c.environment = :environment), '0'::xid8)
       and not exists (select from payout_line l where l.merchant_id = :merchantId
         and l.environment = :environment and l.entry_id = e.entry_id)`;

/** Payable money that no open payout holds: entries in none yet, and lines that a failed one released. */
export const looseCte = sql('merchantId', 'environment')`
   loose as materialized (
     select ${settlementAccountSql('f.store_id')} as account, f.amount_pence
     from (
       select e.store_id, -e.amount_pence as amount_pence from ledger_entry e
       where ${isUnattachedSql}
       union all
       select l.store_id, l.amount_pence from payout_line l
       where l.merchant_id = :merchantId and l.environment = :environment and l.state = 'RELEASED') f
     left join store_bank_account b on b.merchant_id = :merchantId
       and b.environment = :environment and b.store_id = f.store_id)`;

/**
 * What is payable, by settlement account: its open payout and what none holds yet. A payout that was
 * handed over nets to nothing with its lines.
 */
export const payableCtes = sql('merchantId', 'environment')`
   ${looseCte},
   payable as materialized (
     select s.account, sum(s.amount_pence)::bigint as pence
     from (
       select p.sort_code || p.account_number as account, p.amount_pence from payout p
       where p.merchant_id = :merchantId and p.environment = :environment and p.status = 'PENDING'
       union all select loose.account, loose.amount_pence from loose) s
     group by s.account)`;
