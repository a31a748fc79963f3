import { sql } from '#platform/database/sql.ts';
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
      set status = excluded.status, words = excluded.words
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
    insert into transaction_count (merchant_id, environment, day, store_id, method, status, items)
    select :merchantId, :environment, london_day(s.created_at), s.store_id, s.method, c.status,
      sum(c.items)
    from searchable s, lateral (values (s.status, 1), (s.before, -1)) as c (status, items)
    where c.status is not null and s.status is distinct from s.before
    group by london_day(s.created_at), s.store_id, s.method, c.status
    having sum(c.items) <> 0
  )`;
