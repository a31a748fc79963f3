import { poundsText } from '#kernel/money.ts';
import { searchWords } from '#kernel/search-words.ts';
import type { Change } from '../draft-change.ts';
import { type Attempt, type Payment, totalPence } from '../payment.ts';

/**
 * What search reads of attempts, written by the statement that changes them: their rows, the words they
 * are found by, and the difference they make to the counts of their days and of the beginnings that many
 * have in common. Nothing of a payment that has no row in `guard`.
 */
export const searchCtes = (guard: string): string => `
  searchable as materialized (
    select s.*, ${guard}.store_id, ${guard}.customer_id
    from jsonb_to_recordset(:searchable::jsonb) as s (payment_request_id uuid, position int,
      created_at timestamptz, status text, before text, method text, total_pence bigint,
      words text[], words_before text[], new_words jsonb)
    join ${guard} on ${guard}.payment_request_id = s.payment_request_id
  ),
  ${searchableCtes}`;

/** What follows from `searchable`, for a statement that makes it in another way. */
export const searchableCtes = `
  transaction_item as (
    insert into transaction_item as i (merchant_id, environment, payment_request_id, position,
      created_at, status, method, store_id, customer_id, total_pence, words)
    select :merchantId, :environment, s.payment_request_id, s.position, s.created_at, s.status,
      s.method, s.store_id, s.customer_id, s.total_pence, s.words
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
  ),
  transaction_beginning_count as (
    insert into transaction_beginning_count (merchant_id, environment, beginning, day, store_id,
      method, status, items)
    select :merchantId, :environment, b.beginning, london_day(s.created_at), s.store_id, s.method,
      side.status, sum(side.items)
    from searchable s, lateral (values (s.words, s.status, 1), (s.words_before, s.before, -1))
        as side (words, status, items),
      lateral (select distinct t.beginning from unnest(side.words) as w (word)
        join transaction_beginning t on t.merchant_id = :merchantId
          and t.environment = :environment and t.beginning between left(w.word, 1) and w.word
          and starts_with(w.word, t.beginning)) b
    where side.status is not null
    group by b.beginning, london_day(s.created_at), s.store_id, s.method, side.status
    having sum(side.items) <> 0
  )`;

/** Rows of `:searchable`. */
export const searchableRows = ({ payment, before, newAttempts, changedAttempts }: Change) => {
  const known = new Map(before.attempts.map((attempt) => [attempt.attemptId, attempt]));
  return payment.attempts
    .filter(({ attemptId }) => newAttempts.has(attemptId) || changedAttempts.has(attemptId))
    .flatMap((attempt) => searchable(payment, attempt, known.get(attempt.attemptId)));
};

/** Most changes of an attempt are none that search could see. */
const searchable = (payment: Payment, attempt: Attempt, before: Attempt | undefined) => {
  if (before?.status === attempt.status && before.consumerName === attempt.consumerName) return [];
  const words = wordsFor(payment, attempt);
  const earlier = before ? wordsFor(payment, before) : [];
  return [
    {
      payment_request_id: payment.paymentRequestId,
      position: attempt.position,
      created_at: attempt.createdAt,
      status: attempt.status,
      before: before?.status ?? null,
      method: attempt.method,
      total_pence: totalPence(attempt).toString(),
      words: words.map(({ word }) => word),
      words_before: earlier.map(({ word }) => word),
      new_words: words.slice(earlier.length),
    },
  ];
};

/** The name that the bank tells comes last, so that the words before it stay what they were. */
const wordsFor = ({ orderId, consumerDetails }: Payment, attempt: Attempt) =>
  searchWords(
    orderId,
    poundsText(totalPence(attempt)),
    consumerDetails?.firstName ?? '',
    consumerDetails?.lastName ?? '',
    attempt.consumerName ?? '',
  );
