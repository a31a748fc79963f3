import { limits } from '@florin/contract';
import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import { isSameDelivery } from './queue.ts';

/**
 * Columns of a batch, one entry per result: array literals, JavaScript arrays for free text, and
 * texts joined by `joinedBy`. Records as JSON cost three times as much to read.
 */
const resultColumns = [
  'merchantIds',
  'environments',
  'endpointIds',
  'deliveryIds',
  'eventWrittenAts',
  'eventIds',
  'attempts',
  'states',
  'delaysMs',
  'attemptedAts',
  'outcomes',
  'details',
  'statusCodes',
  'dnsMs',
  'connectMs',
  'firstByteMs',
  'totalMs',
  'peerAddresses',
  'requestHeaders',
  'bodySha256s',
  'responseHeaders',
  'responseBodies',
  'retryAfters',
] as const;

export type ResultColumns = Readonly<
  Record<(typeof resultColumns)[number], string | readonly (string | null)[]>
>;

/** Stands in no JSON text and in no base64. An empty entry is null. */
export const joinedBy = '\x1e';

type CompleteValues = ResultColumns & {
  readonly healths: string;
  readonly mailSubject: string;
  readonly mailText: string;
};

const newestOf = (state: string, order: string): string =>
  `(select d.created_at from delivery d
     where d.merchant_id = h.merchant_id and d.environment = h.environment
       and d.endpoint_id = h.endpoint_id and d.state = '${state}'
     order by ${order} desc limit ${limits.webhookMailCountMax + 1})`;

/** A short walk along an index: all results of a moment wait for the statement that counts. */
const lostDeliveries = `(
     select case when count(*) > ${limits.webhookMailCountMax}
       then 'more than ${limits.webhookMailCountMax}' else count(*)::text end
     from (${newestOf('PENDING', 'd.due_at')} union all ${newestOf('EXHAUSTED', 'd.delivery_id')}) d
     where d.created_at >= coalesce(h.failing_since, h.exhausted_notified_at) - interval '24 hours')`;

// Each row is found by its key, whatever the planner assumes about the table's size. "completed_at
// is null" means pending without offering the index of the queue.
/**
 * Writes a batch of results: the deliveries whose fence is still valid, the log of all, the health
 * of their endpoints, and a mail when the first delivery of an outage is given up. Answers the
 * deliveries that a moved clock changed meanwhile, which have to be written again.
 */
export const completeAttempts = statement<CompleteValues, { readonly delivery_id: bigint }>(
  'delivery_complete',
  sql(...resultColumns, 'healths', 'mailSubject', 'mailText')`
   with result as materialized (
     select * from unnest(:merchantIds::uuid[], :environments::text[], :endpointIds::uuid[],
       :deliveryIds::bigint[], :eventWrittenAts::timestamptz[], :eventIds::uuid[],
       :attempts::smallint[], :states::text[], :delaysMs::bigint[],
       :attemptedAts::timestamptz[], :outcomes::text[], :details::text[],
       :statusCodes::smallint[], :dnsMs::real[], :connectMs::real[], :firstByteMs::real[],
       :totalMs::real[], :peerAddresses::text[], string_to_array(:requestHeaders, chr(30), ''),
       :bodySha256s::text[], string_to_array(:responseHeaders, chr(30), ''),
       string_to_array(:responseBodies, chr(30), ''), :retryAfters::int[])
     as r (merchant_id, environment, endpoint_id, delivery_id, event_written_at, event_id, attempt,
       state, delay_ms, attempted_at, outcome, detail, status_code, dns_ms, connect_ms,
       first_byte_ms, total_ms, peer_address, request_headers, body_sha256, response_headers,
       response_body, retry_after_s)
   ), found as materialized (
     select r.* from result r cross join lateral (
       select from delivery d
       where ${isSameDelivery('d', 'r')} and d.attempts = r.attempt and d.completed_at is null
       limit 1) p
   ), done as (
     update delivery d set
       state = r.state,
       leased_until = null,
       due_at = case when r.state = 'PENDING'
         then now() + r.delay_ms * interval '1 millisecond' else d.due_at end,
       due_business_at = case when r.state = 'PENDING'
         then date_trunc('milliseconds', now() + (d.due_business_at - d.due_at))
           + r.delay_ms * interval '1 millisecond' else d.due_business_at end,
       completed_at = case when r.state <> 'PENDING'
         then date_trunc('milliseconds', now() + (d.due_business_at - d.due_at)) end,
       last_status = r.status_code,
       last_error = case when r.outcome <> 'DELIVERED' then r.outcome end
     from found r
     where ${isSameDelivery('d', 'r')} and d.attempts = r.attempt and d.completed_at is null
     returning r.merchant_id, r.environment, r.endpoint_id, r.delivery_id, r.state, r.attempted_at
   ), logged as (
     insert into webhook_attempt (merchant_id, environment, endpoint_id, delivery_id, event_id,
       attempt_no, attempted_at, outcome, detail, status_code, superseded, dns_ms, connect_ms,
       first_byte_ms, total_ms, peer_address, request_headers, body_sha256, response_headers,
       response_body, retry_after_s)
     select r.merchant_id, r.environment, r.endpoint_id, r.delivery_id, r.event_id, r.attempt,
       r.attempted_at, r.outcome, r.detail, r.status_code, done.delivery_id is null, r.dns_ms,
       r.connect_ms, r.first_byte_ms, r.total_ms, r.peer_address, r.request_headers,
       decode(r.body_sha256, 'hex'), r.response_headers, decode(r.response_body, 'base64'),
       r.retry_after_s
     from result r left join done on done.merchant_id = r.merchant_id
       and done.environment = r.environment and done.delivery_id = r.delivery_id
     where done.delivery_id is not null or not exists (select from found f
       where f.merchant_id = r.merchant_id and f.environment = r.environment
         and f.delivery_id = r.delivery_id)
   ), tally as (
     select t.*, (select count(*) from done where done.merchant_id = t.merchant_id
       and done.environment = t.environment and done.endpoint_id = t.endpoint_id
       and done.state = 'EXHAUSTED') as exhausted,
       (select max(done.attempted_at) from done where done.merchant_id = t.merchant_id
       and done.environment = t.environment and done.endpoint_id = t.endpoint_id) as last_at
     from json_to_recordset(:healths::json) as t (
       merchant_id uuid, environment text, endpoint_id uuid, failed int,
       last_delivered_at timestamptz, failing_since timestamptz, last_error text, hour timestamptz,
       attempts int, delivered int, took_ms bigint, slowest_ms int)
   ), in_order as materialized (
     -- Two workers lock the same endpoints in the same order.
     select h.merchant_id, h.environment, h.endpoint_id from webhook_endpoint_health h
     join tally t on t.merchant_id = h.merchant_id and t.environment = h.environment
       and t.endpoint_id = h.endpoint_id
     order by h.endpoint_id for update of h
   ), health as (
     update webhook_endpoint_health h set
       failure_count = h.failure_count + t.failed,
       last_delivered_at = coalesce(t.last_delivered_at, h.last_delivered_at),
       failing_since = case when t.last_delivered_at is null
         then coalesce(h.failing_since, t.failing_since) else t.failing_since end,
       last_error = coalesce(t.last_error, h.last_error),
       exhausted_count = t.exhausted
         + case when t.last_delivered_at is null then h.exhausted_count else 0 end,
       exhausted_notified_at = case
         when t.exhausted > 0 and (t.last_delivered_at is not null
           or coalesce(h.exhausted_notified_at <= t.last_at - interval '24 hours', true))
         then t.last_at
         when t.last_delivered_at is null then h.exhausted_notified_at end
     from tally t
     where (select count(*) from in_order) > 0 and h.merchant_id = t.merchant_id
       and h.environment = t.environment
       and h.endpoint_id = t.endpoint_id
     returning h.*, t.exhausted > 0 and h.exhausted_notified_at = t.last_at as alerts_owner
   ), hours as (
     insert into webhook_hour as w (merchant_id, environment, endpoint_id, hour, attempts,
       delivered, took_ms, slowest_ms)
     select t.merchant_id, t.environment, t.endpoint_id, t.hour, t.attempts, t.delivered,
       t.took_ms, t.slowest_ms
     from tally t where (select count(*) from in_order) > 0 and t.attempts > 0
     on conflict (merchant_id, environment, endpoint_id, hour) do update set
       attempts = w.attempts + excluded.attempts, delivered = w.delivered + excluded.delivered,
       took_ms = w.took_ms + excluded.took_ms,
       slowest_ms = greatest(w.slowest_ms, excluded.slowest_ms)
   ), operator_cases as (
     insert into operator_case (merchant_id, environment, kind, subject, description, evidence)
     select h.merchant_id, h.environment, 'DELIVERIES_ENDED', h.endpoint_id::text,
       'Deliveries to a webhook endpoint have ended: its events can be replayed.',
       jsonb_build_object('failingSince', h.failing_since, 'lastError', h.last_error)
     from health h where h.alerts_owner
     on conflict do nothing
   ), mail as (
     insert into mail_outbox (merchant_id, environment, kind, dedupe_key, recipient, subject, body,
       created_at)
     select h.merchant_id, h.environment, 'WEBHOOK_EXHAUSTED',
       concat_ws(':', 'exhausted', h.endpoint_id, h.exhausted_notified_at), m.owner_email,
       replace(:mailSubject::text, '{url}', w.url),
       replace(replace(replace(replace(replace(replace(:mailText::text, '{url}', w.url),
         '{environment}', lower(h.environment)),
         '{since}', to_char(coalesce(h.failing_since, h.exhausted_notified_at) at time zone 'UTC',
           'YYYY-MM-DD HH24:MI "UTC"')),
         '{error}', coalesce(h.last_error, 'unknown')),
         '{endpoint}', h.endpoint_id::text),
         '{count}', ${lostDeliveries}),
       h.exhausted_notified_at
     from health h
     join webhook_endpoint w on w.merchant_id = h.merchant_id and w.environment = h.environment
       and w.endpoint_id = h.endpoint_id
     join merchant m on m.merchant_id = h.merchant_id
     where h.alerts_owner
     on conflict (merchant_id, environment, dedupe_key) do nothing
   )
   select f.delivery_id from found f
   where not exists (select from done where done.merchant_id = f.merchant_id
     and done.environment = f.environment and done.delivery_id = f.delivery_id)`,
  {
    guardedBy:
      'fence: attempts as claimed and not completed; endpoint rows are locked in one order',
  },
);

const firstRows = 256;

/**
 * A statement keeps one plan, and one made over a nearly empty table reads all of a full one. So it
 * gets a new name, and with it a new plan, each time twice as many rows have passed.
 */
export const growingPlans = () => {
  const made = new Map<string, Statement<never, never>>();
  let rows = 0;
  return {
    count: (more: number): void => {
      rows += more;
    },
    of: <Values, Row>(base: Statement<Values, Row>): Statement<Values, Row> => {
      const generation = Math.max(0, Math.floor(Math.log2(rows / firstRows)));
      const name = `${base.name}_${generation}`;
      const known = made.get(name) as Statement<Values, Row> | undefined;
      if (known) return known;
      const grown = { ...base, name };
      made.set(name, grown as never);
      return grown;
    },
  };
};

export type GrowingPlans = ReturnType<typeof growingPlans>;
