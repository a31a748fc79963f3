import type { Sort } from '#platform/database/pages.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type SearchRow, type SearchValues, searchSql } from './search-sql.ts';

const { created, inDays, inFilter, shownColumns, tenant } = searchSql;

/** As an index has them, forwards or backwards. */
const orders = {
  OLDEST: 'created_at, payment_request_id desc, position desc',
  LARGEST: 'total_pence desc, created_at desc, payment_request_id desc, position desc',
  SMALLEST: 'total_pence, created_at, payment_request_id, position',
} as const;

const inOrder = (sort: keyof typeof orders) =>
  statement<SearchValues, SearchRow>(
    `search_sorted_${sort.toLowerCase()}`,
    sql('size', 'skipped')`
   with total as (
     select coalesce(sum(c.items), 0)::bigint as total, true as is_whole from transaction_count c
     where ${tenant('c')} and ${inDays('c.day')} and ${inFilter('c')}),
   page as (
     select ${shownColumns}, row_number() over () as number from (
       select * from transaction_item i
       where ${tenant('i')} and ${created('i')} and ${inFilter('i')}
       order by ${orders[sort]} limit :size::bigint offset :skipped::bigint) i)
   select total.*, page.* from total left join page on true order by page.number`,
    // Few days are sorted; of many, the index has the order.
    { isPlannedPerCall: true },
  );

/** Without text, customer, amount and bank. */
export const searchInOrder = {
  OLDEST: inOrder('OLDEST'),
  LARGEST: inOrder('LARGEST'),
  SMALLEST: inOrder('SMALLEST'),
} as const satisfies Record<Exclude<Sort, 'NEWEST'>, unknown>;

export type StatusTotal = {
  readonly status: string;
  readonly items: bigint;
  readonly amount_pence: bigint;
};

/** From the counters of days: it costs the same however many transactions there are. */
export const addUpDays = statement<Omit<SearchValues, 'size' | 'skipped'>, StatusTotal>(
  'search_totals',
  sql()`
   select c.status, sum(c.items)::bigint as items, sum(c.amount_pence)::bigint as amount_pence
   from transaction_count c
   where ${tenant('c')} and ${inDays('c.day')} and ${inFilter('c')}
   group by c.status having sum(c.items) <> 0 order by c.status`,
);
