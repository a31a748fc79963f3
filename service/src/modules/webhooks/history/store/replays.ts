import { limits } from '@florin/contract';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { EndpointKey } from '../../endpoints/store/endpoints.ts';

/** Later deliveries have higher numbers. */
export const readLastDelivery = statement<EndpointKey, { readonly delivery_id: string }>(
  'delivery_last_of_endpoint',
  sql('merchantId', 'environment', 'endpointId')`
   select max(delivery_id)::text as delivery_id from delivery
   where merchant_id = :merchantId and environment = :environment and endpoint_id = :endpointId`,
);

export type Replayed = {
  readonly found: bigint;
  readonly replayed: bigint;
  /** The next cursor; null at the end. */
  readonly next: string | null;
};

/**
 * The newest delivery of an event to the endpoint has its outcome there: a live one is the first,
 * and a replay is created only while none is pending. Sorted by a column without an index, so that
 * only the event leads to it.
 */
const newestDelivery = (event: string) => sql('merchantId', 'environment', 'endpointId', 'upTo')`
   left join lateral (
       select d.state from delivery d
       where d.merchant_id = :merchantId and d.environment = :environment
         and d.event_id = ${event}.event_id and d.endpoint_id = :endpointId
         and d.delivery_id <= :upTo::bigint
       order by d.delivery_id + 0 desc limit 1) newest on true`;

/** Events without a delivery count if the endpoint is subscribed to them now; test events are excluded. */
const isOfEndpoint = (event: string) => sql('merchantId', 'environment', 'endpointId')`
   (newest.state is not null
       or not ${event}.is_test and exists (select from subscription s
         where s.merchant_id = :merchantId and s.environment = :environment
           and s.endpoint_id = :endpointId and s.event_type = ${event}.event_type
           and not (${event}.is_repeat and s.api_version = 1)))`;

/**
 * One new delivery for each candidate that is not pending, spread over time. Live ones are never
 * created twice, so this needs no lock against them; the unique key keeps two replays apart.
 */
const made = sql('merchantId', 'environment', 'endpointId', 'perSecond', 'upTo')`
   already as materialized (
     select distinct c.event_id from candidate c
     join delivery d on d.merchant_id = :merchantId and d.environment = :environment
       and d.event_id = c.event_id and d.endpoint_id = :endpointId
     where d.kind = 'REPLAY' and d.delivery_id > :upTo::bigint
   ), made as (
     insert into delivery (merchant_id, environment, endpoint_id, event_id, event_written_at, kind,
       due_at, due_business_at, deadline_business_at, created_at)
     select :merchantId, :environment, :endpointId, c.event_id, c.written_at, 'REPLAY',
       now() + c.position * interval '1 second' / :perSecond::int,
       t.business + c.position * interval '1 second' / :perSecond::int,
       t.business + c.position * interval '1 second' / :perSecond::int
         + interval '${limits.webhookDeliveryHours} hours', t.business
     from (select *, row_number() over (order by written_in, event_id) - 1 as position
       from candidate
       where state is distinct from 'PENDING'
         and event_id not in (select event_id from already)) c,
       (select business_now(:merchantId, :environment) as business) t
     on conflict do nothing
     returning event_id
   )`;

const counted = `(select count(*) from candidate) as found,
     (select count(*) from made)
     + (select count(*) from already) as replayed`;

export const replayOne = statement<
  EndpointKey & {
    readonly deliveryId: string | null;
    readonly eventId: string | null;
    readonly perSecond: number;
    /** Deliveries as they were when this was the last. */
    readonly upTo: string;
  },
  Replayed
>(
  'delivery_replay_one',
  sql('merchantId', 'environment', 'eventId', 'endpointId', 'deliveryId')`
   with candidate as materialized (
     select e.event_id, e.written_at, e.written_in, newest.state from event e
     ${newestDelivery('e')}
     where e.merchant_id = :merchantId and e.environment = :environment
       and e.event_id = coalesce(:eventId::uuid, (select d.event_id from delivery d
         where d.merchant_id = :merchantId and d.environment = :environment
           and d.endpoint_id = :endpointId and d.delivery_id = :deliveryId::bigint))
       and ${isOfEndpoint('e')}
   ), ${made}
   select ${counted}, null as next`,
  { guardedBy: 'unique index of one pending replay per event and endpoint' },
);

type Range = EndpointKey & {
  readonly writtenIn: string;
  readonly eventId: string;
  readonly from: string | null;
  readonly to: string | null;
  /** Newest states to take, NONE without a delivery; null: any. */
  readonly states: readonly string[] | null;
  readonly read: number;
  readonly limit: number;
  /** Deliveries as they were when this was the last. */
  readonly upTo: string;
};

/** At most this many events are read, whatever is found among them. */
const candidatesOfRange = sql(
  'merchantId',
  'environment',
  'writtenIn',
  'eventId',
  'from',
  'to',
  'read',
  'states',
  'limit',
)`
   seen as materialized (
     select e.event_id, e.event_type, e.is_test, e.is_repeat, e.written_at, e.written_in, e.occurred_at
     from event e
     where e.merchant_id = :merchantId and e.environment = :environment
       and (e.written_in, e.event_id) > (:writtenIn::xid8, :eventId::uuid)
       and (:from::timestamptz is null or e.occurred_at >= :from::timestamptz)
       and (:to::timestamptz is null or e.occurred_at < :to::timestamptz)
     order by e.written_in, e.event_id limit :read
   ), candidate as materialized (
     select e.event_id, e.written_at, e.written_in, e.occurred_at, newest.state from seen e
     ${newestDelivery('e')}
     where ${isOfEndpoint('e')}
       and (:states::text[] is null or coalesce(newest.state, 'NONE') = any (:states::text[]))
     order by e.written_in, e.event_id limit :limit
   )`;

/** The next call continues. */
export const replayRange = statement<Range & { readonly perSecond: number }, Replayed>(
  'delivery_replay_range',
  sql('read', 'limit')`
   with ${candidatesOfRange}, ${made}
   select ${counted}, (
     select concat(l.written_in, '.', l.event_id) from (
       select c.written_in, c.event_id from candidate c
       where (select count(*) from candidate) = :limit
       union all
       select s.written_in, s.event_id from seen s
       where (select count(*) from seen) = :read and (select count(*) from candidate) < :limit
     ) l order by l.written_in desc, l.event_id desc limit 1) as next`,
  { guardedBy: 'unique index of one pending replay per event and endpoint' },
);

/** When the endpoint first gave a delivery up, or its last pause first kept an event away. */
export const readFirstMissed = statement<EndpointKey, { readonly since: Date | null }>(
  'delivery_first_missed',
  sql('merchantId', 'environment', 'endpointId')`
   select least(w.missed_since, (
     select e.occurred_at from delivery d
     join event e on e.merchant_id = d.merchant_id and e.environment = d.environment
       and e.event_id = d.event_id and e.written_at = d.event_written_at
     where d.merchant_id = :merchantId and d.environment = :environment
       and d.endpoint_id = :endpointId and d.state = 'EXHAUSTED'
     order by d.delivery_id limit 1)) as since
   from webhook_endpoint w
   where w.merchant_id = :merchantId and w.environment = :environment
     and w.endpoint_id = :endpointId and w.deleted_at is null`,
);

/** What a replay of the range would deliver. */
export const countRange = statement<
  Range,
  { readonly count: number; readonly since: Date | null; readonly is_whole: boolean }
>(
  'delivery_count_range',
  sql('read', 'limit')`
   with ${candidatesOfRange}
   select count(*)::int as count, min(occurred_at) as since,
     count(*) < :limit and (select count(*) from seen) < :read as is_whole
   from candidate`,
);
