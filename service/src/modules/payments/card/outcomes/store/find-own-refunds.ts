import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const findOwnRefunds = statement<
  Tenant & { readonly attemptId: string },
  { readonly refund_id: string }
>(
  'payment_own_refunds',
  sql('merchantId', 'environment', 'attemptId')`
   select refund_id::text from refund
   where merchant_id = :merchantId and environment = :environment
     and payment_request_id = (select payment_request_id from attempt
       where merchant_id = :merchantId and environment = :environment
         and attempt_id = :attemptId::uuid)
     and attempt_id = :attemptId::uuid`,
);
