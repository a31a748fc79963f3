import type { Database } from '#platform/database/open-database.ts';
import { statement } from '#platform/database/statement.ts';
import { longestBeginning } from './beginnings-of.ts';

export type DayLimits = {
  /** Transactions that are read by one statement, and what is left of the last day. */
  readonly slice: number;
  /** More in a day are not read within the time that a statement has. */
  readonly mostItemsOfDay: number;
};

const dayLimits: DayLimits = { slice: 10_000, mostItemsOfDay: 40_000 };

/** Between two marks lie so many transactions. */
const itemsOfMark = 64;

const day = 'merchant_id, environment, day';

/**
 * Reads some days, the newest that were not read yet or have changed since; each whole and in this one
 * statement, so that all bits of a day are of one order. One worker at a time. The day on which payments are
 * being made would change at once, so it waits.
 */
const read = statement<DayLimits, { readonly read: bigint }>(
  'transaction_day_read',
  `with alone as materialized (
     select pg_try_advisory_xact_lock(hashtextextended('transaction_day', 0)) as is_alone),
   tenant as materialized (
     select b.merchant_id, b.environment, count(*) as beginnings
     from transaction_beginning b, alone where alone.is_alone and b.is_counted
     group by b.merchant_id, b.environment),
   days as (
     select ${day}, beginnings, sum(c.items) as items,
       max(day) over (partition by merchant_id, environment) as newest
     from tenant join transaction_count c using (merchant_id, environment)
     group by ${day}, beginnings having sum(c.items) > 0),
   missing as (
     select n.*, sum(n.items) over (order by n.merchant_id, n.environment, n.day desc) as up_to
     from days n left join transaction_day d using (${day})
     where n.day < n.newest and n.items <= :mostItemsOfDay
       and (d.day is null or d.is_stale or d.items <> n.items or d.beginnings <> n.beginnings)),
   due as materialized (select * from missing where up_to - items < :slice),
   item as materialized (
     select due.merchant_id, due.environment, due.day, i.created_at, i.words,
       row_number() over (partition by due.merchant_id, due.environment, due.day
         order by i.created_at desc, i.payment_request_id, i.position) - 1 as place,
       rank() over (partition by due.merchant_id, due.environment, due.day
         order by i.created_at desc) - 1 as place_of_instant
     from due cross join lateral (
       select i.* from transaction_item i
       where i.merchant_id = due.merchant_id and i.environment = due.environment
         and i.created_at >= london_midnight(due.day)
         and i.created_at < london_midnight(due.day + 1) offset 0) i),
   marked as materialized (
     select ${day}, count(*)::int as items,
       array_agg(created_at order by place) filter (where place % ${itemsOfMark} = 0) as marks,
       array_agg((place - place_of_instant)::int order by place)
         filter (where place % ${itemsOfMark} = 0) as skips
     from item group by ${day}),
   common as materialized (
     select b.merchant_id, b.environment, b.beginning
     from (select distinct merchant_id, environment from due) one
     join transaction_beginning b using (merchant_id, environment) where b.is_counted),
   -- Of a transaction with two such words the second adds nothing.
   found as (
     select i.merchant_id, i.environment, i.day, own.beginning, i.place,
       i.place - lag(i.place, 1, -1) over (
         partition by i.merchant_id, i.environment, i.day, own.beginning order by i.place) as step
     from item i cross join lateral (
       select left(w.word, n) as beginning from unnest(i.words) as w (word),
         generate_series(1, least(length(w.word), ${longestBeginning})) n) own
     where ((i.merchant_id, i.environment, own.beginning) in (select * from common)) is true),
   steps as (
     select ${day}, beginning,
       string_agg(repeat('0', step::int - 1) || '1', '' order by place) as places
     from found where step > 0 group by ${day}, beginning),
   kept as (
     insert into transaction_day_beginning (merchant_id, environment, beginning, day, places)
     select merchant_id, environment, beginning, day, rpad(places, items, '0')::varbit
     from steps join marked using (${day})
     on conflict (merchant_id, environment, beginning, day) do update set places = excluded.places),
   noted as (
     insert into transaction_day (merchant_id, environment, day, items, beginnings, marks, skips)
     select ${day}, m.items, due.beginnings, m.marks, m.skips
     from due join marked m using (${day})
     on conflict (merchant_id, environment, day) do update set items = excluded.items,
       beginnings = excluded.beginnings, marks = excluded.marks, skips = excluded.skips,
       is_stale = false
     returning 1)
   select count(*) as read from noted`,
);

/** How many days were read: there may be more where it is not nothing. */
export const readDays = async (
  database: Database,
  limits: DayLimits = dayLimits,
): Promise<number> => Number((await database.system(read, limits))[0]?.read ?? 0);
