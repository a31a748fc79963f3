import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type SearchRow, type SearchValues, searchSql } from './search-sql.ts';

const { created, inDetail, inFilter, newestFirst, pageWithTotal, shownColumns, tenant } = searchSql;

export type DetailValues = SearchValues & { readonly maxCandidates: number };

/**
 * Amount and bank of the newest, up to a limit. Where these begin is read from an index alone, so that only
 * matches are held in memory: holding all that are read costs three times as much.
 */
const byDetail = (
  name: string,
  begin: Fragment<keyof DetailValues & string>,
  read: Fragment<keyof DetailValues & string>,
) =>
  statement<DetailValues, SearchRow>(
    name,
    sql('maxCandidates', 'size', 'skipped')`
   with begin as materialized (${begin} offset :maxCandidates::bigint - 1 limit 1),
    matched as materialized (
      select ${shownColumns} from ${read} where ${inFilter('i')} and ${inDetail('i')}),
    total as (
      select (select count(*) from matched) as total, not exists (select from begin) as is_whole),
    page as (
      select * from matched i order by ${newestFirst('i')}
      limit :size::bigint offset :skipped::bigint)
    ${pageWithTotal}`,
  );

const sinceBegin = `i.created_at >= (select coalesce(max(created_at), '-infinity') from begin)`;

export const searchByDetail = byDetail(
  'search_by_detail',
  sql()`
   select i.created_at from transaction_item i where ${tenant('i')} and ${created('i')}
   order by ${newestFirst('i')}`,
  sql()`(
   select i.* from transaction_item i
   where ${tenant('i')} and ${created('i')} and ${sinceBegin}) i`,
);

export const searchByDetailAndStatus = byDetail(
  'search_by_detail_and_status',
  sql('statuses', 'maxCandidates')`
   select i.created_at from unnest(:statuses::text[]) as wanted (status) cross join lateral (
     select i.created_at from transaction_item i
     where ${tenant('i')} and i.status = wanted.status and ${created('i')}
     order by ${newestFirst('i')} limit :maxCandidates::bigint) i
   order by i.created_at desc`,
  sql('statuses')`
   unnest(:statuses::text[]) as wanted (status) cross join lateral (
     select i.* from transaction_item i
     where ${tenant('i')} and i.status = wanted.status and ${created('i')} and ${sinceBegin}
     -- keeps the index by status, whatever the other filters
     offset 0) i`,
);
