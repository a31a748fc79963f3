import type { Database } from '#platform/database/open-database.ts';
import { statement } from '#platform/database/statement.ts';
import { beginningsOf } from './beginnings-of.ts';

export type BeginningLimits = {
  /** A beginning is counted when about so many transactions have it. */
  readonly leastItems: number;
  /** Transactions of some days, from which is guessed which beginnings are common. */
  readonly sampledOfDay: number;
  /** Longer than a registration and a change of a payment may take together. */
  readonly settleMs: number;
  /** Transactions that are counted by one statement. */
  readonly slice: number;
};

const beginningLimits: BeginningLimits = {
  leastItems: 30_000,
  sampledOfDay: 200,
  // Twice the time after which a statement is ended, and as much again.
  settleMs: 40_000,
  slice: 10_000,
};

/** Spread over all time: what orders of last year begin with may be on none of today. */
const sampledDays = 100;

/**
 * One tenant at a time, in no order: reading a sample takes a second. All earlier ones of it are counted,
 * so that those of one time go on together.
 */
const register = statement<BeginningLimits, { readonly registered: bigint }>(
  'transaction_beginning_register',
  `with one as materialized (
     select merchant_id, environment, sum(items) as all_items from transaction_count c
     where not exists (select from transaction_beginning b where not b.is_counted
       and b.merchant_id = c.merchant_id and b.environment = c.environment)
     group by merchant_id, environment having sum(items) >= :leastItems
     order by random() limit 1),
   days as (
     select merchant_id, environment, day, one.all_items, row_number() over (order by day) as number,
       count(*) over () as days
     from one join transaction_count c using (merchant_id, environment)
     group by merchant_id, environment, day, one.all_items having sum(c.items) > 0),
   some_days as materialized (
     select merchant_id, environment, day, all_items from days
     where number % greatest(days / ${sampledDays}, 1) = 0),
   sample as materialized (
     select d.merchant_id, d.environment, d.all_items, i.words
     from some_days d cross join lateral (
       select i.words from transaction_item i
       where i.merchant_id = d.merchant_id and i.environment = d.environment
         and i.created_at >= london_midnight(d.day) and i.created_at < london_midnight(d.day + 1)
       order by i.created_at desc limit :sampledOfDay) i),
   size as (select merchant_id, environment, count(*) as sampled from sample group by 1, 2),
   found as (
     select merchant_id, environment, all_items, own.beginning, count(*) as found
     from sample cross join lateral (${beginningsOf('words')}) own
     group by 1, 2, 3, 4),
   registered as (
     insert into transaction_beginning (merchant_id, environment, beginning)
     select merchant_id, environment, beginning from found join size using (merchant_id, environment)
     where found * all_items / sampled >= :leastItems
     on conflict do nothing returning 1)
   select count(*) as registered from registered`,
);

/**
 * Counts some days more, the newest first. That nobody is under way who has not seen the registration
 * cannot be asked of the server, for a statement has no number before it writes: time tells it. Since then
 * every change appends its differences; those that this statement sees are in what it counts, and go. A
 * row is locked, so of two that count at once the second goes on where the first one ended.
 */
const countSlice = statement<BeginningLimits, { readonly counted: bigint }>(
  'transaction_beginning_count_slice',
  `with open as materialized (
     select merchant_id, environment from transaction_beginning
     where not is_counted
       and registered_at < clock_timestamp() - :settleMs * interval '1 millisecond'
     order by merchant_id, environment limit 1),
   picked as materialized (
     select b.merchant_id, b.environment, b.beginning, b.counted_from
     from open join transaction_beginning b using (merchant_id, environment)
     where not b.is_counted order by b.beginning for update of b),
   tenant as materialized (
     select merchant_id, environment, min(counted_from) as below from picked group by 1, 2),
   days as (
     select c.day, sum(c.items) as items from tenant t join transaction_count c
       on c.merchant_id = t.merchant_id and c.environment = t.environment and c.day < t.below
     group by c.day),
   ranked as (select day, items, sum(items) over (order by day desc) as up_to from days),
   span as materialized (
     select coalesce(min(day), '-infinity') as from_day from ranked where up_to - items < :slice),
   counted as (
     select own.beginning, london_day(i.created_at) as day, i.store_id, i.method, i.status,
       count(*) as items
     from tenant t cross join span
     join transaction_item i on i.merchant_id = t.merchant_id and i.environment = t.environment
       and i.created_at >= london_midnight(span.from_day) and i.created_at < london_midnight(t.below)
     cross join lateral (${beginningsOf('i.words')}) own
     -- a set that is hashed once: joined to each transaction it would be read for each
     where (own.beginning in (select beginning from picked)) is true
     group by 1, 2, 3, 4, 5),
   gone as (
     delete from transaction_beginning_count c using picked, span
     where c.merchant_id = picked.merchant_id and c.environment = picked.environment
       and c.beginning = picked.beginning and c.day >= span.from_day
       and c.day < picked.counted_from),
   kept as (
     insert into transaction_beginning_count (merchant_id, environment, beginning, day, store_id,
       method, status, items, is_folded)
     select t.merchant_id, t.environment, c.beginning, c.day, c.store_id, c.method, c.status,
       c.items, true
     from counted c cross join tenant t returning items),
   noted as (
     update transaction_beginning b set counted_from = span.from_day,
       is_counted = not exists (select from days where days.day < span.from_day)
     from picked, span
     where b.merchant_id = picked.merchant_id and b.environment = picked.environment
       and b.beginning = picked.beginning returning 1)
   select count(*) as counted from noted`,
);

const fold = statement<{ readonly most: number }, { readonly folded: bigint }>(
  'transaction_beginning_fold',
  `with due as materialized (
     select c.merchant_id, c.environment, c.beginning, c.day from transaction_beginning_count c
     join transaction_beginning b using (merchant_id, environment, beginning)
     where not c.is_folded and b.is_counted
     group by 1, 2, 3, 4 limit :most),
   gone as (
     delete from transaction_beginning_count c using due
     where c.merchant_id = due.merchant_id and c.environment = due.environment
       and c.beginning = due.beginning and c.day = due.day
     returning c.*),
   folded as (
     insert into transaction_beginning_count (merchant_id, environment, beginning, day, store_id,
       method, status, items, is_folded)
     select merchant_id, environment, beginning, day, store_id, method, status, sum(items), true
     from gone group by merchant_id, environment, beginning, day, store_id, method, status
     having sum(items) <> 0),
   grown as (
     select merchant_id, environment, day from gone where not is_folded
     group by merchant_id, environment, day, beginning having sum(items) <> 0),
   marked as (
     update transaction_day d set is_stale = true from grown
     where d.merchant_id = grown.merchant_id and d.environment = grown.environment
       and d.day = grown.day and not d.is_stale)
   select count(*) as folded from gone where not is_folded`,
);

/** Begins to count what has become common. */
export const registerBeginnings = async (
  database: Database,
  limits: BeginningLimits = beginningLimits,
): Promise<number> => Number((await database.system(register, limits))[0]?.registered ?? 0);

/** How many beginnings were counted some days further: nothing where all are counted. */
export const countBeginnings = async (
  database: Database,
  limits: BeginningLimits = beginningLimits,
): Promise<number> => Number((await database.system(countSlice, limits))[0]?.counted ?? 0);

export const foldBeginnings = async (database: Database, mostDays: number): Promise<number> =>
  Number((await database.system(fold, { most: mostDays }))[0]?.folded ?? 0);
