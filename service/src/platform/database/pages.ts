import type { sorts } from '@florin/contract';
import { pence, poundsNumber } from '#kernel/pence.ts';
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

/** Where a list goes on that is sorted by `created_at` or `amount_pence`, and by an id. */
export type NewestFirst = {
  /** Microseconds, or pence. */
  readonly beforeKey: string | null;
  readonly beforeId: string | null;
  readonly limit: number;
};

type Query = { readonly before?: string | undefined; readonly limit: number };

export const newestFirst = ({ before, limit }: Query): NewestFirst => {
  const [beforeKey = null, beforeId = null] = before?.split('.') ?? [];
  return { beforeKey, beforeId, limit: limit + 1 };
};

export type Sort = (typeof sorts)[number];

const micros = (alias: string) => `(extract(epoch from ${alias}.created_at) * 1000000)::bigint`;
const instant = 'to_timestamp(:beforeKey::numeric / 1000000)';
const whole = ':beforeKey::numeric::bigint';

type Order = {
  readonly column: string;
  readonly keyOf: (alias: string) => string;
  readonly before: string;
  /** Before the first of all. */
  readonly start: string;
  readonly goes: '<' | '>';
};

const byTime = { column: 'created_at', keyOf: micros, before: instant };
const byAmount = {
  ...{ column: 'amount_pence', keyOf: (alias: string) => `${alias}.amount_pence`, before: whole },
};

const orders: Readonly<Record<Sort, Order>> = {
  NEWEST: { ...byTime, start: `'infinity'::timestamptz`, goes: '<' },
  OLDEST: { ...byTime, start: `'-infinity'::timestamptz`, goes: '>' },
  LARGEST: { ...byAmount, start: '9223372036854775807', goes: '<' },
  SMALLEST: { ...byAmount, start: '-1', goes: '>' },
};

export const goesOn = (alias: string, id: string, sort: Sort = 'NEWEST'): string =>
  `${orders[sort].keyOf(alias)} || '.' || ${alias}.${id} as goes_on`;

export const orderSql = (alias: string, id: string, sort: Sort = 'NEWEST'): string => {
  const direction = orders[sort].goes === '<' ? 'desc' : 'asc';
  return `${alias}.${orders[sort].column} ${direction}, ${alias}.${id} ${direction}`;
};

/** The end of the `where` of such a list, and its order. */
export const newestFirstSql = (alias: string, id: string, sort: Sort = 'NEWEST') => {
  const { column, before, start, goes } = orders[sort];
  return sql('beforeKey', 'beforeId', 'limit')`
     and ${alias}.${column} ${goes}= (select coalesce(${before}, ${start}))
     and (:beforeKey::numeric is null or (${alias}.${column}, ${alias}.${id})
       ${goes} (${before}, :beforeId::uuid))
   order by ${orderSql(alias, id, sort)} limit :limit::int`;
};

/** A statement for each order: one that a value chooses is in no index. */
export const inEachOrder = <Made>(make: (sort: Sort) => Made): Readonly<Record<Sort, Made>> => ({
  NEWEST: make('NEWEST'),
  OLDEST: make('OLDEST'),
  LARGEST: make('LARGEST'),
  SMALLEST: make('SMALLEST'),
});

/** Planned for its values: days would else be taken for few, and all of them sorted. */
export const plannedFor = (sort: Sort) => ({ isPlannedPerCall: orders[sort] !== orders.NEWEST });

/** What rows of a status add up to. */
export type TotalRow = {
  readonly status: string;
  readonly items: bigint | number;
  readonly amount_pence: bigint;
};

/** What a list says of all its pages; `max` rows were added up at most. */
export const totalsOf = (rows: readonly TotalRow[], max = Number.POSITIVE_INFINITY) => {
  const byStatus = rows.map(({ status, items, amount_pence }) => ({
    ...{ status, count: Number(items), amount: poundsNumber(pence(amount_pence)) },
  }));
  const count = byStatus.reduce((sum, row) => sum + row.count, 0);
  const amount = rows.reduce((sum, { amount_pence }) => sum + amount_pence, 0n);
  return { count, amount: poundsNumber(pence(amount)), isMinimum: count >= max, byStatus };
};

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
