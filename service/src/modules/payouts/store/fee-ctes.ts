import { sql } from '#platform/database/sql.ts';

/**
 * The fees of the payments in `fresh`, booked by the statement that puts both into a payout, by the
 * merchant's rule of that moment (PAYOUT-5). The fee of a reversed payment is returned; a payment
 * that was settled and reversed before this payout is charged none.
 */
export const feeCtes = sql('merchantId', 'environment')`
   fee as materialized (
     select f.resource_id, f.attempt_id, f.store_id, tenant.now as occurred_at,
       gen_random_uuid() as transaction_id, 'FEE_CHARGED' as reason,
       fee_pence(f.amount_pence, w.fee_fixed_pence, w.fee_basis_points) as pence
     from fresh f
     join store_bank_account a on a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = f.store_id
     join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
     cross join tenant
     where f.reason = 'PAYMENT_SETTLED'
       and fee_pence(f.amount_pence, w.fee_fixed_pence, w.fee_basis_points) > 0
       and not exists (select from fresh back where back.attempt_id = f.attempt_id
         and back.reason = 'PAYMENT_REVERSED')
     union all
     select f.resource_id, f.attempt_id, f.store_id, tenant.now, gen_random_uuid(),
       'FEE_RETURNED', charged.pence
     from fresh f
     join store_bank_account a on a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = f.store_id
     cross join tenant
     cross join lateral (
       select sum(e.amount_pence)::bigint as pence from ledger_entry e
       where e.merchant_id = :merchantId and e.environment = :environment
         and e.resource_id = f.resource_id and e.attempt_id = f.attempt_id
         and e.account = 'FEES') charged
     where f.reason = 'PAYMENT_REVERSED' and charged.pence <> 0),
   fee_entry as (
     insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence,
       reason, resource_id, attempt_id, store_id, occurred_at)
     select :merchantId, :environment, fee.transaction_id, side.account, side.sign * fee.pence,
       fee.reason, fee.resource_id, fee.attempt_id, fee.store_id, fee.occurred_at
     from fee, (values ('MERCHANT_PAYABLE', 1), ('FEES', -1)) as side (account, sign)
     returning entry_id, account, amount_pence, reason, resource_id, attempt_id, store_id,
       occurred_at),
   fee_line as (
     select entry_id, -amount_pence as amount_pence, reason, resource_id, attempt_id, store_id,
       occurred_at
     from fee_entry where account = 'MERCHANT_PAYABLE')`;
