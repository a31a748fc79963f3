import { sql } from './sql.ts';

/** A row of a list that goes on. */
export type Continued = {
  /** The `before` of the page that goes on after it. */
  readonly goes_on: string;
  /** False: looked at last, so that the next page continues behind it. */
  readonly matches?: boolean;
  /** All that there was to look at was looked at. */
  readonly is_whole?: boolean;
};

/** The reply of a list that goes on, of rows that were read with one more than the page has. */
export const continuedPage = <Row extends Continued, View>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => View,
): { data: View[]; nextBefore: string | null } => {
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit || rows[0]?.is_whole === false;
  return {
    data: page.filter(({ matches = true }) => matches).map(view),
    nextBefore: (hasMore && page.at(-1)?.goes_on) || null,
  };
};

/** Where a list of rows with `created_at` and an id goes on. */
export type NewestFirst = {
  readonly beforeMicros: string | null;
  readonly beforeId: string | null;
  readonly limit: number;
};

type Query = { readonly before?: string | undefined; readonly limit: number };

export const newestFirst = ({ before, limit }: Query): NewestFirst => {
  const [beforeMicros = null, beforeId = null] = before?.split('.') ?? [];
  return { beforeMicros, beforeId, limit: limit + 1 };
};

export const goesOn = (alias: string, id: string): string =>
  `(extract(epoch from ${alias}.created_at) * 1000000)::bigint || '.' || ${alias}.${id} as goes_on`;

/** The end of the `where` of such a list, and its order. */
export const newestFirstSql = (alias: string, id: string) =>
  sql('beforeMicros', 'beforeId', 'limit')`
     and ${alias}.created_at <= (select coalesce(
       to_timestamp(:beforeMicros::numeric / 1000000), 'infinity'::timestamptz))
     and (:beforeMicros::numeric is null or (${alias}.created_at, ${alias}.${id})
       < (to_timestamp(:beforeMicros::numeric / 1000000), :beforeId::uuid))
   order by ${alias}.created_at desc, ${alias}.${id} desc limit :limit::int`;

/** The reply of a numbered page, of rows that have the total: one without an id stands for an empty page. */
export const numberedPage = <Row extends { readonly total: bigint | number }, View>(
  rows: readonly Row[],
  { page, size }: { readonly page: number; readonly size: number },
  view: (row: Row) => View | null,
) => ({
  ...{ page, size },
  data: rows.map(view).filter((each) => each !== null),
  totalCount: Number(rows[0]?.total ?? 0),
});
