import { sql } from '#platform/database/sql.ts';

/**
 * Of `attempt a`: what has left for refunds that failed, by the bank's entries, and is not back (PAYOUT-10).
 * The payer has it, so it is not refunded a second time.
 */
export const unreturnedSql = sql('merchantId', 'environment')`
   (select coalesce(sum(t.unreturned_pence), 0) from transfer t
     join refund u on u.merchant_id = :merchantId and u.environment = :environment
       and u.refund_id = t.subject_id
     where t.merchant_id = :merchantId and t.environment = :environment
       and t.unreturned_pence > 0 and u.attempt_id = a.attempt_id)`;

/** Of `refund r` of `attempt a`: to hand it over gives the payer no pound twice. */
export const isStillOwedSql = sql('merchantId', 'environment')`
   (a.refunded_pence + a.refund_reserved_pence + ${unreturnedSql} <= a.amount_pence + a.tip_pence
       and not exists (select from transfer t where t.merchant_id = :merchantId
         and t.environment = :environment and t.subject_id = r.refund_id
         and t.unreturned_pence > 0))`;
