import type { Environment } from '#kernel/environment.ts';
import { statement } from '#platform/database/statement.ts';

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

const tenant = (table: string): string =>
  `${table}.merchant_id = :merchantId and ${table}.environment = :environment`;

const inDays = (day: string): string =>
  `${day} between coalesce(:fromDay::date, '-infinity') and coalesce(:toDay::date, 'infinity')`;

const created = (table: string): string =>
  `${table}.created_at >= coalesce(london_midnight(:fromDay::date), '-infinity')
   and ${table}.created_at < coalesce(london_midnight(:toDay::date + 1), 'infinity')`;

const inState = (table: string): string =>
  `(:statuses::text[] is null or ${table}.status = any (:statuses::text[]))
   and (:methods::text[] is null or ${table}.method = any (:methods::text[]))
   and (:storeIds::uuid[] is null or ${table}.store_id = any (:storeIds::uuid[]))`;

const key = (table: string): string =>
  `${table}.created_at, ${table}.payment_request_id, ${table}.position`;

const newestFirst = (table: string): string =>
  `${table}.created_at desc, ${table}.payment_request_id, ${table}.position`;

/** The rows of `page`, with all that is shown of them; `total` has the one row with the number. */
const shown = `
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

const ofDay = (table: string): string =>
  `${table}.created_at >= london_midnight(needed.day)
   and ${table}.created_at < london_midnight(needed.day + 1)`;

type Counted = { readonly counts: string; readonly having: string };

/** Of all transactions, or of those that have a word with this beginning. */
const all: Counted = { counts: 'transaction_count c', having: 'true' };
const beginning: Counted = {
  counts: 'transaction_beginning_count c',
  having: `exists (select from unnest(i.words) as own (word)
    where starts_with(own.word, :wordFrom))`,
};

/** A day is read newest first, or by the states that are asked for: few may be in them. */
const ofDayNewest = ({ having }: Counted): string => `
  select ${key('i')} from transaction_item i
  where ${tenant('i')} and ${ofDay('i')} and ${inState('i')} and ${having}
  order by ${newestFirst('i')} limit :size::bigint + needed.skipped`;

const ofDayByState = ({ having }: Counted): string => `
  select ${key('i')} from unnest(:statuses::text[]) as asked (status) cross join lateral (
    select i.* from transaction_item i
    where ${tenant('i')} and i.status = asked.status and ${ofDay('i')} and ${inState('i')}
      and ${having}
    order by ${newestFirst('i')} limit :size::bigint + needed.skipped) i
  order by ${newestFirst('i')} limit :size::bigint + needed.skipped`;

/**
 * Counters of the days say how many there are and in which days the page lies, so that a page deep down
 * costs what one day costs.
 */
const byCounts = (counted: Counted, ofOneDay: (counted: Counted) => string): string => `
  with days as materialized (
     select c.day, sum(c.items) as items from ${counted.counts}
     where ${tenant('c')} and ${inDays('c.day')} and ${inState('c')}
       ${counted === all ? '' : 'and c.beginning = :wordFrom'}
     group by c.day having sum(c.items) > 0),
   total as (select coalesce(sum(items), 0)::bigint as total from days),
   ranked as (select day, items, sum(items) over (order by day desc) as up_to from days),
   needed as materialized (
     select day, greatest(:skipped::bigint - (up_to - items), 0)::bigint as skipped from ranked
     where up_to > :skipped::bigint and up_to - items < :skipped::bigint + :size::bigint),
   page as materialized (
     select ${key('found')} from needed cross join lateral (${ofOneDay(counted)}) found
     order by ${newestFirst('found')}
     limit :size::bigint offset (select coalesce(max(skipped), 0) from needed))
   ${shown}`;

/** Without text and customer. */
export const searchByDay = statement<SearchValues, SearchRow>(
  'transaction_search_by_day',
  byCounts(all, ofDayNewest),
);
export const searchByState = statement<SearchValues, SearchRow>(
  'transaction_search_by_state',
  byCounts(all, ofDayByState),
);

/** One beginning that so many have that it is counted as all transactions are. */
export const searchByBeginning = statement<SearchValues & TextValues, SearchRow>(
  'transaction_search_by_beginning',
  byCounts(beginning, ofDayNewest),
);
export const searchByBeginningAndState = statement<SearchValues & TextValues, SearchRow>(
  'transaction_search_by_beginning_and_state',
  byCounts(beginning, ofDayByState),
);

export const countedBeginnings = statement<
  { merchantId: string; environment: Environment; words: readonly string[] },
  { readonly beginning: string }
>(
  'transaction_counted_beginnings',
  `select b.beginning from unnest(:words::text[]) as asked (word)
   join transaction_beginning b on ${tenant('b')} and b.beginning = asked.word
   where b.is_counted`,
);

const counted = `
   total as (select count(*) as total from matched),
   page as materialized (select ${key('matched')} from matched
     order by ${newestFirst('matched')} limit :size::bigint offset :skipped::bigint)
   ${shown}`;

/** A customer has few transactions: they are read, and counted as they are. */
export const searchByCustomer = statement<SearchValues, SearchRow>(
  'transaction_search_by_customer',
  `with matched as materialized (
     select ${key('i')} from transaction_item i
     where ${tenant('i')} and i.customer_id = any (:customerIds::uuid[])
       and ${created('i')} and ${inState('i')}),
   ${counted}`,
);

// What the id finds is left to the id, so that nothing is found twice.
const byWords = (range: string): string => `
  select ${key('w')} from transaction_word w
  where ${tenant('w')} and ${range} and w.shared < :wordLength::int and ${created('w')}
    and (:idFrom::uuid is null or w.payment_request_id not between :idFrom::uuid and :idTo::uuid)`;

const byWord = byWords('w.word >= :wordFrom and w.word < :wordBelow');

// A whole word stands in the index in order of time: its newest are read without the others.
const byWordNewest = `
  (${byWords('w.word = :wordFrom')}
   order by ${newestFirst('w')} limit :size::bigint + :skipped::bigint)
  union all ${byWords('w.word > :wordFrom and w.word < :wordBelow')}`;

const byId = `
  select ${key('i')} from transaction_item i
  where ${tenant('i')} and i.payment_request_id between :idFrom::uuid and :idTo::uuid
    and ${created('i')}`;

/** One word and nothing else: the index of words alone answers. */
export const searchByWord = statement<SearchValues & TextValues, SearchRow>(
  'transaction_search_by_word',
  `with total as (
     select (select count(*) from (${byWord}) w) + (select count(*) from (${byId}) i) as total),
   page as materialized (
     select ${key('found')} from (${byWordNewest} union all ${byId}) found
     order by ${newestFirst('found')} limit :size::bigint offset :skipped::bigint)
   ${shown}`,
);

/** Text together with other filters, or several words. */
export const searchByText = statement<SearchValues & TextValues, SearchRow>(
  'transaction_search_by_text',
  `with found as (${byWord} union all ${byId}),
   matched as materialized (
     select ${key('i')} from found
     join transaction_item i on ${tenant('i')}
       and i.payment_request_id = found.payment_request_id and i.position = found.position
     where ${inState('i')}
       and (:customerIds::uuid[] is null or i.customer_id = any (:customerIds::uuid[]))
       and not exists (select from unnest(:otherWords::text[]) as o (other) where not exists (
         select from unnest(i.words) as own (word) where starts_with(own.word, o.other)))),
   ${counted}`,
);
