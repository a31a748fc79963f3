import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type SearchRow, type SearchValues, searchSql } from './search-sql.ts';

const { created, inDetail, inFilter, newestFirst, pageWithTotal, shownColumns, tenant } = searchSql;

export type TextValues = {
  /** For `like all`: each must match the words of a transaction. */
  readonly patterns: readonly string[];
  /** The payment request ids that the text is a prefix of, if it can be one. */
  readonly idFrom: string | null;
  readonly idTo: string | null;
};

export type CandidateValues = SearchValues & TextValues & { readonly maxCandidates: number | null };

/**
 * Reads the newest candidates, up to a limit, and keeps the matches. The limit is on what is read,
 * not on what is found: no search continues because nothing matches.
 */
export const searchCandidates = <More = unknown>(
  name: string,
  candidates: Fragment<keyof (CandidateValues & More) & string>,
  options: { readonly isPlannedPerCall?: boolean } = {},
) =>
  statement<CandidateValues & More, SearchRow>(
    name,
    sql('customerIds', 'patterns', 'idFrom', 'idTo', 'maxCandidates', 'size', 'skipped')`
   with candidate as materialized (${candidates}),
    matched as materialized (
      select ${shownColumns} from candidate i
      where ${created('i')} and ${inFilter('i')} and ${inDetail('i')}
        and (:customerIds::uuid[] is null or i.customer_id = any (:customerIds::uuid[]))
        and (i.words like all (:patterns::text[])
          or i.payment_request_id between :idFrom::uuid and :idTo::uuid)),
    total as (
      select (select count(*) from matched) as total, :maxCandidates::bigint is null
        or (select count(*) from candidate) < :maxCandidates::bigint as is_whole),
    page as (
      select * from matched i order by ${newestFirst('i')}
      limit :size::bigint offset :skipped::bigint)
    ${pageWithTotal}`,
    options,
  );

export const newest = (table: string) =>
  sql('maxCandidates')`order by ${newestFirst(table)} limit :maxCandidates::bigint`;

/** A customer has few transactions: all are read. */
export const searchByCustomer = searchCandidates(
  'search_by_customer',
  sql('customerIds')`
   select i.* from transaction_item i
   where ${tenant('i')} and i.customer_id = any (:customerIds::uuid[]) and ${created('i')}
   ${newest('i')}`,
);

export const searchNewest = searchCandidates(
  'search_newest',
  sql()`select i.* from transaction_item i where ${tenant('i')} and ${created('i')} ${newest('i')}`,
);

export const searchByStatus = searchCandidates(
  'search_by_status',
  sql('statuses')`
   select i.* from unnest(:statuses::text[]) as wanted (status) cross join lateral (
     select i.* from transaction_item i
     where ${tenant('i')} and i.status = wanted.status and ${created('i')} ${newest('i')}) i
   ${newest('i')}`,
);
