import type { Environment } from '#kernel/environment.ts';
import { statement } from '#platform/database/statement.ts';
import {
  created,
  inDays,
  inState,
  key,
  newestFirst,
  ofDay,
  type SearchRow,
  type SearchValues,
  shown,
  type TextValues,
  tenant,
} from './search-parts.ts';

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

const ofDayByState = ({ having }: Counted, unless = 'false'): string => `
  select ${key('i')} from unnest(:statuses::text[]) as asked (status) cross join lateral (
    select i.* from transaction_item i
    where ${tenant('i')} and i.status = asked.status and ${ofDay('i')} and ${inState('i')}
      and ${having}
    order by ${newestFirst('i')} limit :size::bigint + needed.skipped) i
  where not ${unless}
  order by ${newestFirst('i')} limit :size::bigint + needed.skipped`;

/** Those of a day that have a word with this beginning, by the word. */
const ofDayByWord = `
  select ${key('i')} from transaction_word w
  join transaction_item i on ${tenant('i')}
    and i.payment_request_id = w.payment_request_id and i.position = w.position
  where ${tenant('w')} and w.word >= :wordFrom and w.word < :wordBelow
    and w.shared < :wordLength::int and ${ofDay('w')} and ${inState('i')}
    and fewer.by_word`;

/** Whichever fewer of the day have: the word, or one of the states. */
const ofDayByFewer = (counted: Counted): string => `
  select ${key('i')} from (
      select coalesce((select sum(c.items) from transaction_beginning_count c
          where ${tenant('c')} and c.beginning = :wordFrom and c.day = needed.day), 0)
        < (select sum(c.items) from transaction_count c
          where ${tenant('c')} and c.day = needed.day and ${inState('c')}) as by_word) fewer
    cross join lateral (
      (${ofDayByState(counted, 'fewer.by_word')})
      union all (${ofDayByWord})) i`;

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
  byCounts(beginning, ofDayByFewer),
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

/** A customer has few transactions: they are read when each word of a text is one that many have. */
export const searchByCustomerAndText = statement<SearchValues & TextValues, SearchRow>(
  'transaction_search_by_customer_and_text',
  `with matched as materialized (
     select ${key('i')} from transaction_item i
     where ${tenant('i')} and i.customer_id = any (:customerIds::uuid[])
       and ${created('i')} and ${inState('i')}
       and (i.payment_request_id between :idFrom::uuid and :idTo::uuid
         or not exists (
           select from unnest(array_append(:otherWords::text[], :wordFrom::text)) as o (other)
           where not exists (select from unnest(i.words) as own (word)
             where starts_with(own.word, o.other))))),
   ${counted}`,
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
