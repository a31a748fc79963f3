import type { Tenant } from '../../../service/src/kernel/environment.ts';
import { sql } from '../../../service/src/platform/database/sql.ts';
import { statement } from '../../../service/src/platform/database/statement.ts';

export const endLeases = statement<Tenant, never>(
  'test_model_end_leases',
  sql('merchantId', 'environment')`
   with polls as (update attempt_poll set leased_until = null
     where merchant_id = :merchantId and environment = :environment and leased_until is not null),
   attempts as (update attempt set leased_until = null
     where merchant_id = :merchantId and environment = :environment and leased_until is not null),
   batches as (update transfer_batch set leased_until = null, due_at = now()
     where merchant_id = :merchantId and environment = :environment and status = 'OPEN'),
   -- One whose money has not arrived is looked at now, and not after a part of its age.
   unsettled as (update refund set due_at = now(),
       due_business_at = now() + clock_offset(:merchantId::uuid, :environment::text)
     where merchant_id = :merchantId and environment = :environment and waits_for = 'SETTLEMENT')
   update refund set leased_until = null
   where merchant_id = :merchantId and environment = :environment and leased_until is not null`,
  { guardedBy: 'nothing: all processes have ended' },
);

export const forgetWork = statement<Tenant, never>(
  'test_model_forget_work',
  sql('merchantId', 'environment')`
   with refunds as (update refund set due_at = null
     where merchant_id = :merchantId and environment = :environment and due_at is not null),
   payouts as (update payout set due_at = null
     where merchant_id = :merchantId and environment = :environment and due_at is not null)
   delete from attempt_poll where merchant_id = :merchantId and environment = :environment`,
  { guardedBy: 'nothing: no program runs' },
);

export const endCreditLeases = statement<{ readonly ids: readonly string[] }, never>(
  'test_model_end_credit_leases',
  sql('ids')`
   with held as (update held_payment h set until_business_at = 'epoch'
     from attempt a where a.merchant_id = h.merchant_id and a.environment = h.environment
       and a.attempt_id = h.attempt_id and a.payment_idempotency_id = any (:ids::text[])
       and h.entry_key = ''),
   credits as (update account_credit set due_at = now()
     where environment = 'SANDBOX' and end_to_end_id = any (:ids::text[]) and status = 'OPEN')
   update account_debit set due_at = now()
   where environment = 'SANDBOX' and end_to_end_id = any (:ids::text[]) and due_at is not null`,
  { guardedBy: 'nothing: all processes have ended' },
);

export const forgetCredits = statement<object, never>(
  'test_model_forget_credits',
  sql()`
   with credits as (update account_credit set due_at = 'infinity' where status = 'OPEN')
   update account_debit set due_at = null where due_at is not null`,
  { guardedBy: 'nothing: no program runs' },
);
