import { statement } from '#platform/database/statement.ts';
import {
  created,
  inDays,
  key,
  newestFirst,
  ofDay,
  type SearchRow,
  type SearchValues,
  shown,
  type TextValues,
  tenant,
} from './search-parts.ts';

/** As `read-days` writes them. */
const itemsOfMark = 64;

/** Of a day whose bits hold: the places of those that have all words, and the transactions there. */
const atPlaces = `
  select ${key('i')} from (
      select (sum(length(t.gap) + 1) over (order by t.number) - 1)::int as place
      from string_to_table(needed.places::text, '1') with ordinality as t (gap, number)
      order by t.number limit least(needed.items - needed.skipped, :size::bigint)
      offset needed.skipped) p
    cross join lateral (select d.marks[p.place / ${itemsOfMark} + 1] as at,
        d.skips[p.place / ${itemsOfMark} + 1] + p.place % ${itemsOfMark} as skipped
      from transaction_day d where ${tenant('d')} and d.day = needed.day) mark
    cross join lateral (
      select i.* from transaction_item i
      where ${tenant('i')} and i.created_at >= london_midnight(needed.day)
        and i.created_at <= mark.at
      order by ${newestFirst('i')} limit 1 offset mark.skipped) i
  where needed.places is not null`;

const inOpenDay = `
  select ${key('m')} from matched m
  where needed.places is null and m.day = needed.day
  order by ${newestFirst('m')} limit :size::bigint offset needed.skipped`;

const words = 'array_append(:otherWords::text[], :wordFrom::text)';

const byWord = `${tenant('w')} and w.word >= lead.word and w.word < lead.below
  and w.shared < length(lead.word)`;

const hasAll = `not exists (select from unnest(${words}) as o (other) where not exists (
  select from unnest(i.words) as own (word) where starts_with(own.word, o.other)))`;

/** So many are looked up one by one: by the word, unless one in so many transactions has it. */
const fewDays = 8;
const dense = 20;

/**
 * Several beginnings, each of which so many have that it is counted: where the bits of a day are as many
 * as were counted, what all words have in common is their bits' intersection. Days that have changed since
 * they were read, today above all, are read by their rarest word.
 */
export const searchByBeginnings = statement<SearchValues & TextValues, SearchRow>(
  'transaction_search_by_beginnings',
  `with counted as materialized (
     select asked.word, c.day, c.items from unnest(${words}) as asked (word)
     cross join lateral (
       select c.day, sum(c.items) as items from transaction_beginning_count c
       where ${tenant('c')} and c.beginning = asked.word and ${inDays('c.day')}
       group by c.day having sum(c.items) > 0) c),
   common as materialized (
     select day from counted group by day having count(*) = cardinality(${words})),
   whole as materialized (
     select t.day, sum(t.items) as items from transaction_count t
     where ${tenant('t')} and ${inDays('t.day')} group by t.day),
   day as materialized (
     select d.day, d.items from common join whole on whole.day = common.day
     cross join lateral (
       select d.day, d.items from transaction_day d
       where ${tenant('d')} and d.day = common.day and d.items = whole.items offset 0) d),
   held as materialized (
     select day.day, bit_and(b.places) as places from day join counted c on c.day = day.day
     cross join lateral (
       select b.places from transaction_day_beginning b
       where ${tenant('b')} and b.beginning = c.word and b.day = c.day offset 0) b
     where length(b.places) = day.items and bit_count(b.places) = c.items
     group by day.day having count(*) = cardinality(${words})),
   open as materialized (select day from common except select day from held),
   lead as materialized (
     select c.word, c.word || '\u{10ffff}' as below,
       sum(c.items) filter (where c.day in (select day from open)) * ${dense} < (
         select sum(whole.items) from whole where whole.day in (select day from open)) as is_rare
     from counted c group by c.word order by sum(c.items) limit 1),
   worded as (
     select w.* from open needed cross join lead cross join lateral (
       select ${key('w')} from transaction_word w where ${byWord} and ${ofDay('w')} offset 0) w
     where (select count(*) from open) <= ${fewDays} and lead.is_rare
     union all
     select w.* from lead cross join lateral (
       select ${key('w')} from transaction_word w where ${byWord} and ${created('w')} offset 0) w
     where (select count(*) from open) > ${fewDays}
       and london_day(w.created_at) in (select day from open)),
   matched as materialized (
     select london_day(i.created_at) as day, i.* from worded w cross join lateral (
       select ${key('i')} from transaction_item i
       where ${tenant('i')} and i.payment_request_id = w.payment_request_id
         and i.position = w.position and ${hasAll} offset 0) i
     union all
     select needed.day, i.* from open needed cross join lead cross join lateral (
       select ${key('i')} from transaction_item i where ${ofDay('i')} and ${tenant('i')}
         and ${hasAll} offset 0) i
     where (select count(*) from open) <= ${fewDays} and not lead.is_rare),
   days as materialized (
     select day, items, places from (
       select day, bit_count(places) as items, places from held offset 0) held where items > 0
     union all select day, count(*), null from matched group by day),
   total as (select coalesce(sum(items), 0)::bigint as total from days),
   ranked as (select *, sum(items) over (order by day desc) as up_to from days),
   needed as materialized (
     select day, items, places, greatest(:skipped::bigint - (up_to - items), 0)::bigint as skipped
     from ranked
     where up_to > :skipped::bigint and up_to - items < :skipped::bigint + :size::bigint),
   page as materialized (
     select ${key('found')} from needed
     cross join lateral ((${atPlaces}) union all (${inOpenDay})) found
     order by ${newestFirst('found')} limit :size::bigint)
   ${shown}`,
);
