import { clockOffsetSql } from '#modules/merchants/index.ts';
import type { BatchStatement, Scope } from '#platform/database/batch-statement.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Change } from '../change-payment.ts';
import type { Attempt } from '../payment.ts';

// While polls follow each other closely, the indexed time stays: such an update touches no index.
const watchClosely = "interval '60 seconds'";

/** The next poll of each attempt that is written, or none any more. `guard` names the changed requests. */
export const pollCtes = (guard: string) => sql(
  'merchantId',
  'environment',
  'changedAttempts',
  'newAttempts',
)`
  polled as (
    insert into attempt_poll as p (${pollColumns})
    select :merchantId, :environment, c.attempt_id, ${guard}.payment_request_id, c.method,
      c.institution_id, c.poll_count, c.poll_business_at, c.poll_business_at - ${guard}.moved,
      c.poll_business_at - ${guard}.moved, c.leased_until
    from jsonb_to_recordset(:changedAttempts::jsonb || :newAttempts::jsonb) as c (attempt_id uuid,
      payment_request_id uuid, method text, institution_id text, poll_count int,
      poll_business_at timestamptz, leased_until timestamptz)
    join ${guard} on ${guard}.payment_request_id = c.payment_request_id
    where c.poll_business_at is not null
    on conflict (merchant_id, environment, attempt_id) do update set
      poll_count = excluded.poll_count, poll_business_at = excluded.poll_business_at,
      poll_at = excluded.poll_at, leased_until = excluded.leased_until,
      watch_from = ${nextWatch('p', 'excluded.poll_at')}
  ),
  polled_no_more as (
    delete from attempt_poll p
    where p.merchant_id = :merchantId and p.environment = :environment
      and p.attempt_id = any (array(select c.attempt_id
        from jsonb_to_recordset(:changedAttempts::jsonb) as c (attempt_id uuid,
          payment_request_id uuid, poll_business_at timestamptz)
        join ${guard} on ${guard}.payment_request_id = c.payment_request_id
        where c.poll_business_at is null))
  )`;

export const pollColumns = `merchant_id, environment, attempt_id, payment_request_id, method, institution_id,
  poll_count, poll_business_at, poll_at, watch_from, leased_until`;

/** From when on a row is looked at whose next poll is at `pollAt`. */
const nextWatch = (row: string, pollAt: string): string =>
  `case when ${row}.watch_from <= least(${pollAt}, now()) and ${pollAt} <= now() + ${watchClosely}
    then ${row}.watch_from else ${pollAt} end`;

type NextPoll = { readonly before: Attempt; readonly after: Attempt };

type Values = {
  readonly attemptIds: readonly string[];
  readonly pollCounts: readonly number[];
  readonly pollTimes: readonly (Date | null)[];
  readonly countsBefore: readonly number[];
  readonly timesBefore: readonly (Date | null)[];
};

const write = statement<Values & Scope, { readonly item: number }>(
  'payment_next_poll',
  sql(
    'merchantId',
    'environment',
    'attemptIds',
    'pollCounts',
    'pollTimes',
    'countsBefore',
    'timesBefore',
  )`
   with tenant as materialized (select ${clockOffsetSql} as moved)
   update attempt_poll p set poll_count = n.poll_count, poll_business_at = n.at,
     poll_at = n.at - tenant.moved, leased_until = null,
     watch_from = ${nextWatch('p', 'n.at - tenant.moved')}
   from tenant, unnest(:attemptIds::uuid[], :pollCounts::int[], :pollTimes::timestamptz[],
       :countsBefore::int[], :timesBefore::timestamptz[])
     with ordinality as n (attempt_id, poll_count, at, count_before, time_before, number)
   where p.merchant_id = :merchantId and p.environment = :environment
     and p.attempt_id = any (:attemptIds::uuid[]) and p.attempt_id = n.attempt_id
     and p.poll_count = n.count_before and p.poll_business_at = n.time_before
   returning (n.number - 1)::int as item`,
  { guardedBy: 'poll_count and poll_business_at as read: a poll or a change since then wins' },
);

const writing: BatchStatement<NextPoll, Values, { readonly item: number }> = {
  statement: write,
  valuesOf: (polls) => ({
    attemptIds: polls.map(({ after }) => after.attemptId),
    pollCounts: polls.map(({ after }) => after.pollCount),
    pollTimes: polls.map(({ after }) => after.pollBusinessAt),
    countsBefore: polls.map(({ before }) => before.pollCount),
    timesBefore: polls.map(({ before }) => before.pollBusinessAt),
  }),
  keysOf: ({ after }) => [after.attemptId],
};

/** One small update. False where someone else was first. */
export const writeNextPoll = async (
  database: Database,
  { payment }: Change,
  nextPoll: NextPoll,
): Promise<boolean> => (await database.batched(payment.tenant, writing, nextPoll)) !== undefined;

/**
 * The attempt of which a change writes nothing but the next poll. Not while it is unknown what became of
 * a message: then each poll raises the version of the payment, so that an older answer is known as old.
 */
export const findNextPoll = (change: Change): NextPoll | null => {
  const { history, postings, cases, events, directory, cards } = change;
  const written = [history, postings, cases, events, directory, cards.saved, cards.detached];
  if (change.isVisible || change.newAttempts.size > 0 || change.changedAttempts.size !== 1)
    return null;
  if (written.some(({ length }) => length > 0)) return null;
  const isChanged = ({ attemptId }: Attempt): boolean => change.changedAttempts.has(attemptId);
  const before = change.before.attempts.find(isChanged);
  const after = change.payment.attempts.find(isChanged);
  return before && after && isOnlyNextPoll(before, after) ? { before, after } : null;
};

const pollFields = new Set(['pollCount', 'pollBusinessAt', 'leasedUntil']);
const answeredSteps = new Set(['SUBMITTED', 'AT_PROCESSOR', 'STEP_UP', 'AUTHORISED']);

const isOnlyNextPoll = (before: Attempt, after: Attempt): boolean =>
  answeredSteps.has(after.step) &&
  before.pollBusinessAt !== null &&
  after.pollBusinessAt !== null &&
  Object.entries(after).every(
    ([field, now]) => pollFields.has(field) || now === before[field as keyof Attempt],
  );
