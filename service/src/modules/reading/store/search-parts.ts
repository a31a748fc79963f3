import type { Environment } from '#kernel/environment.ts';

export type SearchValues = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly fromDay: string | null;
  readonly toDay: string | null;
  readonly statuses: readonly string[] | null;
  readonly methods: readonly string[] | null;
  readonly storeIds: readonly string[] | null;
  readonly customerIds: readonly string[] | null;
  readonly size: number;
  readonly skipped: number;
};

/** Of the free text: its longest word as a range of beginnings, and what else must be found. */
export type TextValues = {
  readonly wordFrom: string;
  readonly wordBelow: string;
  readonly wordLength: number;
  readonly otherWords: readonly string[];
  /** The ids that begin with the text, if it can be the beginning of one. */
  readonly idFrom: string | null;
  readonly idTo: string | null;
};

export type ItemRow = {
  readonly payment_request_id: string;
  readonly payment_idempotency_id: string;
  readonly application_user_id: string | null;
  readonly merchant_customer_reference: string;
  readonly business_name: string;
  readonly order_id: string;
  readonly consumer_name: string | null;
  readonly total_pence: bigint;
  readonly status: string;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly notes: string | null;
  readonly store_id: string;
  readonly store_address: string;
  readonly location_name: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly card_brand: string | null;
  readonly capture_type: string | null;
  readonly initiator: 'MERCHANT' | 'CUSTOMER' | null;
  readonly card_id: string | null;
  readonly authorisation_expires_business_at: Date | null;
};

/** One row more than the page holds where it is empty, so that the total is always told. */
export type SearchRow = { readonly total: bigint } & (
  | ItemRow
  | { readonly payment_request_id: null }
);

export const tenant = (table: string): string =>
  `${table}.merchant_id = :merchantId and ${table}.environment = :environment`;

export const inDays = (day: string): string =>
  `${day} between coalesce(:fromDay::date, '-infinity') and coalesce(:toDay::date, 'infinity')`;

export const created = (table: string): string =>
  `${table}.created_at >= coalesce(london_midnight(:fromDay::date), '-infinity')
   and ${table}.created_at < coalesce(london_midnight(:toDay::date + 1), 'infinity')`;

export const inState = (table: string): string =>
  `(:statuses::text[] is null or ${table}.status = any (:statuses::text[]))
   and (:methods::text[] is null or ${table}.method = any (:methods::text[]))
   and (:storeIds::uuid[] is null or ${table}.store_id = any (:storeIds::uuid[]))`;

export const key = (table: string): string =>
  `${table}.created_at, ${table}.payment_request_id, ${table}.position`;

export const newestFirst = (table: string): string =>
  `${table}.created_at desc, ${table}.payment_request_id, ${table}.position`;

/** The rows of `page`, with all that is shown of them; `total` has the one row with the number. */
export const shown = `
  select total.total, shown.* from total left join lateral (
    select i.payment_request_id, a.payment_idempotency_id, a.application_user_id,
      r.merchant_customer_reference, m.business_name, r.order_id, i.total_pence,
      coalesce(a.consumer_name, nullif(concat_ws(' ', nullif(r.consumer_details->>'firstName', ''),
        nullif(r.consumer_details->>'lastName', '')), '')) as consumer_name,
      i.status, i.method, r.notes, i.store_id, s.location_name,
      concat_ws(', ', nullif(s.address_line_1, ''), nullif(s.address_line_2, ''),
        nullif(s.city, ''), nullif(s.postal_code, '')) as store_address,
      i.created_at, a.updated_at, i.position, a.card_facts ->> 'brand' as card_brand,
      a.capture_type, a.initiator, a.card_id, a.authorisation_expires_business_at
    from page p
    join transaction_item i on ${tenant('i')}
      and i.payment_request_id = p.payment_request_id and i.position = p.position
    join attempt a on ${tenant('a')}
      and a.payment_request_id = p.payment_request_id and a.position = p.position
    join payment_request r on ${tenant('r')} and r.payment_request_id = p.payment_request_id
    join store s on ${tenant('s')} and s.store_id = i.store_id
    join merchant m on m.merchant_id = :merchantId
  ) shown on true
  order by shown.created_at desc, shown.payment_request_id, shown.position`;

export const ofDay = (table: string): string =>
  `${table}.created_at >= london_midnight(needed.day)
   and ${table}.created_at < london_midnight(needed.day + 1)`;
