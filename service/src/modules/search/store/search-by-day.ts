import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type SearchRow, type SearchValues, searchSql } from './search-sql.ts';

const { inDays, inFilter, newestFirst, pageWithTotal, shownColumns, tenant } = searchSql;

const ofDay = `i.created_at >= london_midnight(needed.day)
  and i.created_at < london_midnight(needed.day + 1)`;

const newestOfDay = sql('size')`
  select ${shownColumns} from transaction_item i
  where ${tenant('i')} and ${ofDay} and ${inFilter('i')}
  order by ${newestFirst('i')} limit :size::bigint + needed.skipped`;

/** Few may be in these statuses: they are found by their status. */
const newestOfDayByStatus = sql('statuses', 'size')`
  select ${shownColumns} from unnest(:statuses::text[]) as wanted (status) cross join lateral (
    select i.* from transaction_item i
    where ${tenant('i')} and i.status = wanted.status and ${ofDay} and ${inFilter('i')}
    order by ${newestFirst('i')} limit :size::bigint + needed.skipped) i
  order by ${newestFirst('i')} limit :size::bigint + needed.skipped`;

/**
 * Without text and customer. The counters give the exact total and the days of the page, so that a
 * late page costs what one day costs.
 */
const byDay = <const Name extends string>(newest: Fragment<Name>) => sql('skipped', 'size')`
  with days as materialized (
    select c.day, sum(c.items) as items from transaction_count c
    where ${tenant('c')} and ${inDays('c.day')} and ${inFilter('c')}
    group by c.day having sum(c.items) > 0),
  total as (select coalesce(sum(items), 0)::bigint as total, true as is_whole from days),
  ranked as (select day, items, sum(items) over (order by day desc) as up_to from days),
  needed as materialized (
    select day, greatest(:skipped::bigint - (up_to - items), 0)::bigint as skipped from ranked
    where up_to > :skipped::bigint and up_to - items < :skipped::bigint + :size::bigint),
  page as materialized (
    select found.* from needed cross join lateral (${newest}) found
    order by ${newestFirst('found')}
    limit :size::bigint offset (select coalesce(max(skipped), 0) from needed))
  ${pageWithTotal}`;

export const searchByDay = statement<SearchValues, SearchRow>('search_by_day', byDay(newestOfDay));

export const searchByDayAndStatus = statement<SearchValues, SearchRow>(
  'search_by_day_and_status',
  byDay(newestOfDayByStatus),
);
