import { type EventType, limits } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

// With the event's id both indexes that a planner may take, also one that believes a new partition to be
// empty, lead to the one row.
const columns = [
  ...['merchant_id', 'environment', 'endpoint_id', 'delivery_id', 'event_written_at'],
  'event_id',
];

/** Finds one delivery; `event_written_at` names the partition it lies in. */
const deliveryKey = (alias: string): string =>
  columns.map((column) => `${alias}.${column}`).join(', ');

export const isSameDelivery = (one: string, other: string): string =>
  columns.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ');

export type ReadyRow = {
  readonly endpoint_id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly due_in_ms: number;
};

/** Which endpoints have something pending, and when first: a skip scan, one index probe for each. */
export const discoverReady = statement<Record<never, never>, ReadyRow>(
  'delivery_discover',
  sql()`
   with recursive ready as (
     (select d.endpoint_id, d.merchant_id, d.environment, d.due_at from delivery d where d.state = 'PENDING'
      order by d.endpoint_id, d.due_at limit 1)
     union all
     select n.endpoint_id, n.merchant_id, n.environment, n.due_at from ready r cross join lateral (
       select d.endpoint_id, d.merchant_id, d.environment, d.due_at from delivery d
       where d.state = 'PENDING' and d.endpoint_id > r.endpoint_id
       order by d.endpoint_id, d.due_at limit 1) n
   )
   select endpoint_id, merchant_id, environment,
     (extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as due_in_ms
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
  /** Of the call that began it. */
  readonly request_id: string | null;
  readonly traceparent: string | null;
  readonly endpoint_version: number;
  readonly endpoint_is_deleted: boolean;
  readonly endpoint_is_paused: boolean;
  readonly rate_per_second: number | null;
  /**
   * Set when the time is over and the endpoint has failed since before the delivery, or since its
   * first attempt.
   */
  readonly failing_since: Date | null;
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
     b.request_id, b.traceparent,
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
  claimSql(
    ofEachEnvironment(sql('limit')`
     select d.* from webhook_endpoint_health h cross join lateral (
       select ${deliveryKey('d')} from delivery d
       where d.state = 'PENDING' and d.endpoint_id = h.endpoint_id and d.due_at <= now()
         and d.deadline_business_at <= now() + (d.due_business_at - d.due_at)
         and (d.attempts > 0 or h.failing_since <= d.created_at)
         and (d.leased_until is null or d.leased_until < now())
       order by d.due_at limit :limit for update skip locked) d
     where ${ofShare('h')} and h.failing_since is not null limit :limit`),
  ),
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

/** Due deliveries of deleted or paused endpoints, a chunk each; those in flight finish. */
export const cancelWaiting = statement<
  {
    readonly merchantIds: readonly string[];
    readonly environments: readonly string[];
    readonly endpointIds: readonly string[];
    readonly limit: number;
  },
  never
>(
  'delivery_cancel_waiting',
  sql('merchantIds', 'environments', 'endpointIds', 'limit')`
   with waiting as materialized (
     select d.*
     from unnest(:merchantIds::uuid[], :environments::text[], :endpointIds::uuid[])
       as t (merchant_id, environment, endpoint_id)
     join webhook_endpoint w on w.merchant_id = t.merchant_id and w.environment = t.environment
       and w.endpoint_id = t.endpoint_id and (w.deleted_at is not null or w.is_paused)
     cross join lateral (
       select ${deliveryKey('d')} from delivery d
       where d.state = 'PENDING' and d.endpoint_id = t.endpoint_id and d.due_at <= now()
         and d.merchant_id = t.merchant_id and d.environment = t.environment
         and (d.leased_until is null or d.leased_until < now())
       order by d.due_at limit :limit for update skip locked) d
   )
   update delivery d set state = 'CANCELLED', last_error = 'CANCELLED',
     completed_at = date_trunc('milliseconds', now() + (d.due_business_at - d.due_at))
   from waiting where ${isSameDelivery('d', 'waiting')} and d.completed_at is null
     and (d.leased_until is null or d.leased_until < now())`,
  { guardedBy: 'skip locked, no lease and not completed; what is being sent ends by itself' },
);

/**
 * The oldest delivery of each endpoint that is overdue though the endpoint does not fail: found as
 * `delivery_discover` does, by one index probe for each endpoint.
 */
export const stuckDeliveries = [
  sql('limit')`
   (with recursive ready as (
      (select d.merchant_id, d.environment, d.endpoint_id, d.due_at, d.leased_until, d.attempts
       from delivery d where d.state = 'PENDING' order by d.endpoint_id, d.due_at limit 1)
      union all
      select n.* from ready r cross join lateral (
        select d.merchant_id, d.environment, d.endpoint_id, d.due_at, d.leased_until, d.attempts
        from delivery d where d.state = 'PENDING' and d.endpoint_id > r.endpoint_id
        order by d.endpoint_id, d.due_at limit 1) n)
    select 'DELIVER_WEBHOOKS' as kind, r.merchant_id, r.environment, r.endpoint_id::text as work_id,
      null::uuid as payment_request_id, r.due_at as since, null::timestamptz as paused_until,
      r.leased_until, r.attempts::int as attempts, null::text as last_error
    from ready r
    join webhook_endpoint e on e.merchant_id = r.merchant_id and e.environment = r.environment
      and e.endpoint_id = r.endpoint_id and not e.is_paused and e.deleted_at is null
    where r.due_at <= statement_timestamp() - interval '${limits.stuckOverdueMinutes} minutes'
      and not exists (select from webhook_endpoint_health h where h.merchant_id = r.merchant_id
        and h.environment = r.environment and h.endpoint_id = r.endpoint_id
        and h.failing_since is not null)
    limit :limit)`,
];

export const nextTenantDelivery = statement<
  Tenant & { readonly after: Date },
  { readonly next: Date | null }
>(
  'delivery_tenant_next',
  sql('merchantId', 'environment', 'after')`
   select min(n.due_business_at) as next
   from webhook_endpoint w cross join lateral (
     select d.due_business_at from delivery d
     where d.merchant_id = :merchantId and d.environment = :environment
       and d.endpoint_id = w.endpoint_id and d.state = 'PENDING'
       and d.due_business_at > :after
     order by d.due_at limit 1) n
   where w.merchant_id = :merchantId and w.environment = :environment`,
);

/** From the tenant's time, which is the truth; rows held by a worker are left alone. */
export const recomputeTenantDeliveries = statement<Tenant, never>(
  'delivery_tenant_recompute',
  sql('merchantId', 'environment')`
   with moved as materialized (
     select clock_offset(:merchantId, :environment) as offset_by
   )
   update delivery d set due_at = d.due_business_at - moved.offset_by
   from moved, webhook_endpoint w
   where w.merchant_id = :merchantId and w.environment = :environment
     and d.merchant_id = :merchantId and d.environment = :environment
     and d.endpoint_id = w.endpoint_id and d.state = 'PENDING'
     and d.due_at <> d.due_business_at - moved.offset_by`,
  { guardedBy: 'derives from the business time, so a repeat changes nothing; leases stay' },
);

export const tenantEndpointsDue = statement<Tenant, { readonly endpoint_id: string }>(
  'delivery_tenant_due',
  sql('merchantId', 'environment')`
   select w.endpoint_id from webhook_endpoint w
   where w.merchant_id = :merchantId and w.environment = :environment
     and exists (select from delivery d
       where d.merchant_id = :merchantId and d.environment = :environment
         and d.endpoint_id = w.endpoint_id and d.state = 'PENDING' and d.due_at <= now())`,
);
