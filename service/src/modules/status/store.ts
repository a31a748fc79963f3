import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Values = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly paymentRequestIds: readonly string[];
  readonly positions: readonly number[];
};

/** Details of a transaction that search does not store. */
export type ShownTransaction = {
  readonly payment_request_id: string;
  readonly position: number;
  readonly payment_idempotency_id: string;
  readonly application_user_id: string | null;
  readonly merchant_customer_reference: string;
  readonly business_name: string;
  readonly order_id: string;
  readonly consumer_name: string | null;
  readonly notes: string | null;
  readonly store_address: string;
  readonly location_name: string;
  readonly updated_at: Date;
  readonly refund_pence: bigint;
  readonly card_brand: string | null;
  readonly capture_type: string | null;
  readonly initiator: 'MERCHANT' | 'CUSTOMER' | null;
  readonly card_id: string | null;
  readonly authorisation_expires_business_at: Date | null;
};

const tenant = (table: string) =>
  sql(
    'merchantId',
    'environment',
  )`${table}.merchant_id = :merchantId and ${table}.environment = :environment`;

/** In the order of the ids. */
export const readShownTransactions = statement<Values, ShownTransaction>(
  'status_read_shown_transactions',
  sql('paymentRequestIds', 'positions', 'merchantId')`
   select a.payment_request_id, a.position, a.payment_idempotency_id, a.application_user_id,
     r.merchant_customer_reference, m.business_name, r.order_id, r.notes, s.location_name,
     coalesce(a.consumer_name, nullif(concat_ws(' ', nullif(r.consumer_details->>'firstName', ''),
       nullif(r.consumer_details->>'lastName', '')), '')) as consumer_name,
     concat_ws(', ', nullif(s.address_line_1, ''), nullif(s.address_line_2, ''),
       nullif(s.city, ''), nullif(s.postal_code, '')) as store_address,
     a.updated_at, a.card_facts ->> 'brand' as card_brand, a.capture_type, a.initiator, a.card_id,
     a.authorisation_expires_business_at,
     a.refunded_pence + a.refund_reserved_pence + refunded_at_processor_pence(a.refunds)
       as refund_pence
   from unnest(:paymentRequestIds::uuid[], :positions::int[]) with ordinality
     as found (payment_request_id, position, number)
   join attempt a on ${tenant('a')}
     and a.payment_request_id = found.payment_request_id and a.position = found.position
   join payment_request r on ${tenant('r')} and r.payment_request_id = found.payment_request_id
   join store s on ${tenant('s')} and s.store_id = r.store_id
   join merchant m on m.merchant_id = :merchantId
   order by found.number`,
);
