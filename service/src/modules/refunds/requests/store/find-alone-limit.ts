import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** What a member may refund alone, and what of the payment is refunded or about to be. */
export const findAloneLimit = statement<
  Tenant & { readonly attemptId: string },
  { readonly above_pence: bigint | null; readonly refunded_pence: bigint }
>(
  'refund_alone_limit',
  sql('merchantId', 'environment', 'attemptId')`
   select w.refund_approval_above_pence as above_pence,
     a.refunded_pence + a.refund_reserved_pence as refunded_pence
   from merchant_switch w
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = :attemptId::uuid
   where w.merchant_id = :merchantId and w.environment = :environment`,
);
