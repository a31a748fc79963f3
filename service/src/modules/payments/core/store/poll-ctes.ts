import { sql } from '#platform/database/sql.ts';

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
export const nextWatch = (row: string, pollAt: string): string =>
  `case when ${row}.watch_from <= least(${pollAt}, now()) and ${pollAt} <= now() + ${watchClosely}
    then ${row}.watch_from else ${pollAt} end`;
