import type { Environment } from '#kernel/environment.ts';
import type { Pence } from '#kernel/pence.ts';
import { sql } from '#platform/database/sql.ts';

const tenant = (table: string) =>
  sql(
    'merchantId',
    'environment',
  )`${table}.merchant_id = :merchantId and ${table}.environment = :environment`;

const inDays = (day: string) =>
  sql('fromDay', 'toDay')`${day} between :fromDay::date and :toDay::date`;

// No `coalesce`: row-level security would keep the times out of the index.
const created = (table: string) =>
  sql('fromDay', 'toDay')`
   ${table}.created_at >= london_midnight(:fromDay::date)
   and ${table}.created_at < london_midnight(:toDay::date + 1)`;

/** What the counters of a day tell apart. */
const inFilter = (table: string) =>
  sql('statuses', 'methods', 'storeIds')`
   (:statuses::text[] is null or ${table}.status = any (:statuses::text[]))
   and (:methods::text[] is null or ${table}.method = any (:methods::text[]))
   and (:storeIds::uuid[] is null or ${table}.store_id = any (:storeIds::uuid[]))`;

/** What no index and no counter tells apart: few enough are read, and the others left out. */
const inDetail = (table: string) =>
  sql('minPence', 'maxPence', 'institutionIds')`
   (:minPence::bigint is null or ${table}.total_pence >= :minPence::bigint)
   and (:maxPence::bigint is null or ${table}.total_pence <= :maxPence::bigint)
   and (:institutionIds::text[] is null
     or ${table}.institution_id = any (:institutionIds::text[]))`;

const shownColumns = `i.created_at, i.payment_request_id, i.position, i.status, i.method,
  i.store_id, i.total_pence`;

const key = (table: string): string =>
  `${table}.created_at, ${table}.payment_request_id, ${table}.position`;

const newestFirst = (table: string): string =>
  `${table}.created_at desc, ${table}.payment_request_id, ${table}.position`;

/** The rows of `page` with those of `total`, which has one. */
const pageWithTotal = `
  select total.*, page.* from total left join page on true order by ${newestFirst('page')}`;

/** Parts that the statements of search have in common. */
export const searchSql = {
  tenant,
  inDays,
  created,
  inFilter,
  inDetail,
  shownColumns,
  key,
  newestFirst,
  pageWithTotal,
};

export type SearchValues = {
  readonly merchantId: string;
  readonly environment: Environment;
  /** Days of London, both included; `-infinity` and `infinity` without a date. */
  readonly fromDay: string;
  readonly toDay: string;
  readonly statuses: readonly string[] | null;
  readonly methods: readonly string[] | null;
  readonly storeIds: readonly string[] | null;
  readonly customerIds: readonly string[] | null;
  /** Both included. */
  readonly minPence: Pence | null;
  readonly maxPence: Pence | null;
  readonly institutionIds: readonly string[] | null;
  readonly size: number;
  readonly skipped: number;
};

export type FoundTransaction = {
  readonly payment_request_id: string;
  readonly position: number;
  readonly created_at: Date;
  readonly status: string;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly store_id: string;
  readonly total_pence: bigint;
};

/** An empty page still has one row, because of the total. */
export type SearchRow = {
  readonly total: bigint;
  /** False when candidates were left unread: there may be more matches. */
  readonly is_whole: boolean;
} & (FoundTransaction | { readonly payment_request_id: null });

/**
 * Search data of transactions, to be composed into the statement that changes them: their rows,
 * their words, and the difference to the counts of their days. `guard` names a common table
 * expression with a row for each payment request whose change won; the value is `:searchable`.
 */
export const searchCtes = (guard: string) => sql('searchable')`
  searchable as materialized (
    select s.*, ${guard}.store_id, ${guard}.customer_id
    from jsonb_to_recordset(:searchable::jsonb) as s (payment_request_id uuid, position int,
      created_at timestamptz, status text, before text, method text, total_pence bigint,
      institution_id text, words text, new_words jsonb)
    join ${guard} on ${guard}.payment_request_id = s.payment_request_id
  ),
  ${searchableCtes}`;

/** What follows from `searchable`, for a statement that makes it in another way. */
export const searchableCtes = sql('merchantId', 'environment')`
  transaction_item as (
    insert into transaction_item as i (merchant_id, environment, payment_request_id, position,
      created_at, status, method, store_id, customer_id, total_pence, institution_id, words)
    select :merchantId, :environment, s.payment_request_id, s.position, s.created_at, s.status,
      s.method, s.store_id, s.customer_id, s.total_pence, s.institution_id, s.words
    from searchable s
    on conflict (merchant_id, environment, payment_request_id, position) do update
      set words = excluded.words,
        -- what became of a paid one is kept by a trigger of its attempt
        status = case when excluded.status = 'COMPLETED' and wire_status(i.status) = 'COMPLETED'
          then i.status else excluded.status end
  ),
  transaction_word as (
    insert into transaction_word (merchant_id, environment, word, created_at, payment_request_id,
      position, shared)
    select :merchantId, :environment, w.word, s.created_at, s.payment_request_id, s.position,
      w.shared
    from searchable s, jsonb_to_recordset(s.new_words) as w (word text, shared smallint)
    on conflict do nothing
  ),
  transaction_count as (
    insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
      amount_pence)
    select :merchantId, :environment, london_day(s.created_at), s.store_id, s.method, c.status,
      sum(c.items), sum(c.items * s.total_pence)
    from searchable s, lateral (values (s.status, 1), (s.before, -1)) as c (status, items)
    where c.status is not null and s.status is distinct from s.before
    group by london_day(s.created_at), s.store_id, s.method, c.status
    having sum(c.items) <> 0 or sum(c.items * s.total_pence) <> 0
  )`;
