import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const readRefunded = statement<
  Tenant & { readonly paymentRequestIds: readonly string[] },
  { readonly payment_request_id: string; readonly refunded_pence: bigint }
>(
  'till_sale_refunded',
  sql('merchantId', 'environment', 'paymentRequestIds')`
   select f.payment_request_id, sum(f.amount_pence)::bigint as refunded_pence
   from refund f
   where f.merchant_id = :merchantId and f.environment = :environment
     and f.payment_request_id = any (:paymentRequestIds::uuid[])
     and f.status in ('INITIATED', 'PENDING', 'COMPLETED')
   group by f.payment_request_id`,
);
