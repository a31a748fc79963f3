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
  readonly attempt_id: string;
  readonly institution_id: string;
  readonly payer_encrypted: Buffer | null;
  readonly card_last_four: string | null;
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
     a.updated_at, a.attempt_id, a.institution_id, a.payer_encrypted,
     a.card_facts ->> 'lastFourDigits' as card_last_four,
     a.card_facts ->> 'brand' as card_brand, a.capture_type, a.initiator, a.card_id,
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

/** A payment, with whose it is. */
export type FoundOfMerchant = {
  readonly merchant_id: string;
  readonly business_name: string;
  readonly environment: Environment;
  readonly payment_request_id: string;
  readonly order_id: string;
  readonly pence: bigint;
  readonly status: string;
  readonly method: 'PAY_BY_BANK' | 'CARD' | null;
  readonly created_at: Date;
};

export type MerchantFilter = {
  readonly merchant: string | null;
  readonly environments: readonly Environment[];
  readonly limit: number;
};

const chosenCte = sql('merchant', 'environments')`
   chosen as materialized (
     select m.merchant_id, m.business_name, e.environment
     from merchant m cross join unnest(:environments::text[]) as e (environment)
     where :merchant::text is null or m.merchant_id::text = lower(:merchant::text)
       or strpos(lower(m.business_name), lower(:merchant::text)) > 0)`;

/** With what a page shows of each; the newest first. */
const shownSql = sql('limit')`
   select f.merchant_id, f.business_name, f.environment, f.payment_request_id, q.order_id,
     f.total_pence as pence, wire_status(f.status) as status, f.method, f.created_at
   from (select * from found order by created_at desc, payment_request_id limit :limit::int) f
   join payment_request q on q.merchant_id = f.merchant_id and q.environment = f.environment
     and q.payment_request_id = f.payment_request_id
   order by f.created_at desc, f.payment_request_id`;

/**
 * Of each merchant by the index of its words: as many descents as merchants, however many payments they
 * have. One word leads; the others are looked for in what has it.
 */
export const findByWords = statement<
  MerchantFilter & { readonly word: string; readonly patterns: readonly string[] },
  FoundOfMerchant
>(
  'operator_payments_by_words',
  sql('word', 'patterns', 'limit')`
   with ${chosenCte},
   found as materialized (
     select c.*, i.* from chosen c cross join lateral (
       select i.payment_request_id, i.total_pence, i.status, i.method, i.created_at
       from transaction_word w
       join transaction_item i on i.merchant_id = c.merchant_id and i.environment = c.environment
         and i.payment_request_id = w.payment_request_id and i.position = w.position
       where w.merchant_id = c.merchant_id and w.environment = c.environment
         and w.word = :word::text and i.words like all (:patterns::text[])
       order by w.created_at desc limit :limit::int) i)
   ${shownSql}`,
);

export const findNewest = statement<MerchantFilter, FoundOfMerchant>(
  'operator_payments_newest',
  sql('limit')`
   with ${chosenCte},
   found as materialized (
     select c.*, i.* from chosen c cross join lateral (
       select i.payment_request_id, i.total_pence, i.status, i.method, i.created_at
       from transaction_item i
       where i.merchant_id = c.merchant_id and i.environment = c.environment
       order by i.created_at desc limit :limit::int) i)
   ${shownSql}`,
);

/** By what the directory knows: also before a payer has set out to pay. */
export const findNamed = statement<MerchantFilter & { readonly search: string }, FoundOfMerchant>(
  'operator_payments_named',
  sql('search', 'limit')`
   with ${chosenCte}
   select c.merchant_id, c.business_name, c.environment, q.payment_request_id, q.order_id,
     coalesce(a.amount_pence + a.tip_pence, q.amount_pence)::bigint as pence,
     coalesce(a.status, q.status) as status, a.method, q.created_at
   from public_id p
   join chosen c on c.merchant_id = p.merchant_id and c.environment = p.environment
   join payment_request q on q.merchant_id = p.merchant_id and q.environment = p.environment
     and q.payment_request_id = p.target_id
   left join lateral (select * from attempt a where a.merchant_id = q.merchant_id
     and a.environment = q.environment and a.payment_request_id = q.payment_request_id
     order by a.position desc limit 1) a on true
   where p.public_id in (:search::text, lower(:search::text))
     and p.kind in ('PAYMENT_REQUEST', 'ATTEMPT') limit :limit::int`,
);
