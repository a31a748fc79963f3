import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type PaymentHistoryRow = {
  readonly subject: 'REQUEST' | 'ATTEMPT';
  readonly subject_id: string;
  readonly from_status: string | null;
  readonly to_status: string;
  readonly trigger: string;
  readonly detail: string | null;
  readonly occurred_at: Date;
};

export const readPaymentHistory = statement<
  Tenant & { readonly paymentRequestId: string },
  PaymentHistoryRow
>(
  'payment_history_read',
  sql('merchantId', 'environment', 'paymentRequestId')`
   select subject, subject_id, from_status, to_status, trigger, detail, occurred_at
   from payment_history
   where merchant_id = :merchantId and environment = :environment
     and payment_request_id = :paymentRequestId::uuid
   order by version, "position"`,
);
