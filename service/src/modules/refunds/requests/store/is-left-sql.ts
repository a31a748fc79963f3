import { sql } from '#platform/database/sql.ts';

/** So much is left of a completed payment: a condition on `attempt a`. */
export const isLeftSql = sql('amountPence')`a.status = 'COMPLETED'
       and a.refunded_pence + a.refund_reserved_pence + disputed_pence(a.disputes)
         + refunded_at_processor_pence(a.refunds) + :amountPence::bigint
         <= a.amount_pence + a.tip_pence`;
