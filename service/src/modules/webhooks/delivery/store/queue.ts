import type { EventType } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { deliveryKey, isSameDelivery } from './delivery-key.ts';

export type ReadyRow = { readonly endpoint_id: string; readonly due_in_ms: number };

/** Which endpoints have something pending, and when first: a skip scan, one index probe for each. */
export const discoverReady = statement<Record<never, never>, ReadyRow>(
  'delivery_discover',
  sql()`
   with recursive ready as (
     (select d.endpoint_id, d.due_at from delivery d where d.state = 'PENDING'
      order by d.endpoint_id, d.due_at limit 1)
     union all
     select n.endpoint_id, n.due_at from ready r cross join lateral (
       select d.endpoint_id, d.due_at from delivery d
       where d.state = 'PENDING' and d.endpoint_id > r.endpoint_id
       order by d.endpoint_id, d.due_at limit 1) n
   )
   select endpoint_id, (extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as due_in_ms
   from ready`,
);

export type ClaimedRow = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly endpoint_id: string;
  readonly delivery_id: bigint;
  /** As text, with the microseconds: it names the partition. */
  readonly event_written_at: string;
  readonly event_id: string;
  /** Raised by this claim: the fence of its results. */
  readonly attempts: number;
  readonly due_at: Date;
  /** The tenant's time of the claim, and the real one: both the database's. */
  readonly attempted_at: Date;
  readonly claimed_at: Date;
  readonly remaining_ms: number;
  /** Null, like the next columns, when the body is past its time. */
  readonly event_type: EventType | null;
  readonly sequence: number | null;
  readonly signing_secret_id: string | null;
  readonly body: string | null;
  readonly endpoint_version: number;
  readonly endpoint_is_deleted: boolean;
  readonly endpoint_is_paused: boolean;
  readonly rate_per_second: number | null;
  /**
   * Set when the time is over and the endpoint has failed since before the delivery, or since its
   * first attempt.
   */
  readonly failing_since: Date | null;
  /** Claimed by the statement that emitted its event. */
  readonly isClaimedAhead?: boolean;
};

// "completed_at is null" means pending without offering the index of the queue for a walk along all
// of it. due_at does not change, so a claim touches no index; rows earlier than `after` were
// claimed before.
const claimSql = <const Name extends string>(due: Fragment<Name>) => sql('leaseMs')`
   with due as materialized (${due}),
   claimed as (
     update delivery d set attempts = d.attempts + 1,
       leased_until = now() + :leaseMs::int * interval '1 millisecond'
     from due where ${isSameDelivery('d', 'due')} and d.completed_at is null
       and (d.leased_until is null or d.leased_until < now())
     returning d.*
   )
   select c.merchant_id, c.environment, c.endpoint_id, c.delivery_id,
     c.event_written_at::text as event_written_at, c.event_id, c.attempts, c.due_at,
     date_trunc('milliseconds', now() + (c.due_business_at - c.due_at)) as attempted_at,
     (extract(epoch from c.deadline_business_at - now() - (c.due_business_at - c.due_at))
       * 1000)::float8 as remaining_ms,
     now() as claimed_at, b.event_type, b.sequence, b.signing_secret_id, b.body,
     w.version as endpoint_version,
     w.deleted_at is not null as endpoint_is_deleted, w.is_paused as endpoint_is_paused,
     w.rate_per_second,
     case when c.deadline_business_at <= now() + (c.due_business_at - c.due_at) then (
       select h.failing_since from webhook_endpoint_health h
       where h.merchant_id = c.merchant_id and h.environment = c.environment
         and h.endpoint_id = c.endpoint_id
         and (c.attempts > 1 or h.failing_since <= c.created_at)) end as failing_since
   from claimed c
   join webhook_endpoint w on w.merchant_id = c.merchant_id and w.environment = c.environment
     and w.endpoint_id = c.endpoint_id
   left join lateral (
     select b.* from event_body b
     where b.merchant_id = c.merchant_id and b.environment = c.environment
       and b.event_id = c.event_id and b.written_at = c.event_written_at
     limit 1) b on true
   order by c.due_at, c.delivery_id`;

export const claimDue = statement<
  {
    readonly endpointIds: readonly string[];
    readonly slots: readonly number[];
    readonly afters: readonly string[];
    readonly leaseMs: number;
  },
  ClaimedRow
>(
  'delivery_claim',
  claimSql(sql('endpointIds', 'slots', 'afters')`
     select d.* from unnest(:endpointIds::uuid[], :slots::int[], :afters::timestamptz[])
       as t (endpoint_id, slots, after)
     cross join lateral (
       select ${deliveryKey('d')} from delivery d
       where d.state = 'PENDING' and d.endpoint_id = t.endpoint_id
         and d.due_at <= now() and d.due_at > t.after
         and (d.leased_until is null or d.leased_until < now())
       order by d.due_at limit t.slots for update skip locked) d`),
  {
    guardedBy: 'lease and skip locked: one worker at a time; attempts is the fence of its outcome',
  },
);

/** What waited behind a failing endpoint until its time was over, and need not be sent any more. */
export const claimOverdue = statement<
  { readonly limit: number; readonly leaseMs: number },
  ClaimedRow
>(
  'delivery_claim_overdue',
  claimSql(sql('limit')`
     select d.* from webhook_endpoint_health h cross join lateral (
       select ${deliveryKey('d')} from delivery d
       where d.state = 'PENDING' and d.endpoint_id = h.endpoint_id and d.due_at <= now()
         and d.deadline_business_at <= now() + (d.due_business_at - d.due_at)
         and (d.attempts > 0 or h.failing_since <= d.created_at)
         and (d.leased_until is null or d.leased_until < now())
       order by d.due_at limit :limit for update skip locked) d
     where h.failing_since is not null limit :limit`),
  {
    guardedBy: 'lease and skip locked: one worker at a time; attempts is the fence of its outcome',
  },
);

/** At shutdown: released as if never claimed, unless another worker holds them already. */
export const releaseClaims = statement<
  {
    readonly merchantIds: readonly string[];
    readonly environments: readonly string[];
    readonly endpointIds: readonly string[];
    readonly deliveryIds: readonly bigint[];
    readonly attempts: readonly number[];
  },
  never
>(
  'delivery_release',
  sql('merchantIds', 'environments', 'endpointIds', 'deliveryIds', 'attempts')`
   update delivery d set attempts = d.attempts - 1, leased_until = null
   from unnest(:merchantIds::uuid[], :environments::text[], :endpointIds::uuid[],
     :deliveryIds::bigint[], :attempts::int[])
     as r (merchant_id, environment, endpoint_id, delivery_id, attempts)
   where d.merchant_id = r.merchant_id and d.environment = r.environment
     and d.endpoint_id = r.endpoint_id and d.delivery_id = r.delivery_id
     and d.attempts = r.attempts and d.state = 'PENDING'`,
  { guardedBy: 'fence: attempts as claimed' },
);
