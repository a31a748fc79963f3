import { type EventType, limits } from '@florin/contract';
import { sql } from '#platform/database/sql.ts';

export type EventDraft = {
  readonly eventId: string;
  readonly eventType: EventType;
  readonly resourceId: string;
  /** Counts the events of one resource. */
  readonly sequence: number;
  /** A second event under the same key of its resource is a bug: the whole statement fails. */
  readonly dedupeKey: string;
  /** The access secret that signs this event in v1. */
  readonly signingSecretId: string | null;
  readonly isTest?: boolean;
  /** Endpoints whose delivery this program sends at once: claimed by the statement that emits. */
  readonly claimedFor?: { readonly endpointIds: readonly string[]; readonly leaseMs: number };
  /** The tenant's own time. */
  readonly occurredAt: Date;
  /** Without signature fields; the order of its keys is the order on the wire. */
  readonly body: object;
};

export type EmitValues = {
  readonly merchantId: string;
  readonly environment: string;
  readonly events: string;
};

/**
 * Three table expressions, `event`, `event_body` and `delivery`, for the statement that changes the
 * state: nothing is written unless the table expression named `guard` has a row, and when `column`
 * is named, only for the resources in it.
 */
export const emitEventsCtes = (guard: string, column?: string) => {
  const isWon = column
    ? `e.resource_id in (select ${guard}.${column} from ${guard})`
    : `exists (select from ${guard})`;
  return sql('events', 'merchantId', 'environment')`
  emitting as materialized (
    select e.* from json_to_recordset(:events::json) as e (
      event_id uuid, event_type text, resource_id uuid, sequence int, dedupe_key text,
      signing_secret_id uuid, is_test boolean, occurred_at timestamptz, body text,
      claimed_for uuid[], lease_ms int)
    where ${isWon}
  ),
  event as (
    insert into event (merchant_id, environment, event_id, event_type, resource_id, sequence,
      dedupe_key, signing_secret_id, is_test, occurred_at)
    select :merchantId::uuid, :environment::text, e.event_id, e.event_type, e.resource_id, e.sequence,
      e.dedupe_key, e.signing_secret_id, e.is_test, e.occurred_at
    from emitting e
  ),
  event_body as (
    insert into event_body (merchant_id, environment, event_id, event_type, sequence,
      signing_secret_id, body)
    select :merchantId::uuid, :environment::text, e.event_id, e.event_type, e.sequence,
      e.signing_secret_id, e.body
    from emitting e
  ),
  delivery as (
    insert into delivery (merchant_id, environment, event_id, endpoint_id, kind,
      due_business_at, deadline_business_at, created_at, attempts, leased_until)
    select :merchantId::uuid, :environment::text, e.event_id, s.endpoint_id,
      case when e.is_test then 'TEST' else 'LIVE' end,
      e.occurred_at, e.occurred_at + interval '${limits.webhookDeliveryHours} hours', e.occurred_at,
      coalesce(s.endpoint_id = any (e.claimed_for), false)::int,
      case when s.endpoint_id = any (e.claimed_for)
        then now() + e.lease_ms * interval '1 millisecond' end
    from emitting e join subscription s
      on s.merchant_id = :merchantId::uuid and s.environment = :environment::text
        and s.event_type = e.event_type and not s.is_paused
    returning *
  )`;
};

/** For the same statement's `returning`: the endpoints to wake after the commit. */
export const emittedEndpoints = `array(select distinct endpoint_id from delivery where attempts = 0)`;

/** And the deliveries of one resource that are claimed already, as `ClaimedAhead`. */
export const claimedAhead = (resourceId: string) => sql('merchantId', 'environment')`
  (select json_agg(json_build_object('endpoint_id', d.endpoint_id, 'delivery_id', d.delivery_id::text,
      'event_written_at', d.event_written_at::text, 'event_id', d.event_id,
      'event_type', e.event_type, 'sequence', e.sequence, 'signing_secret_id', e.signing_secret_id,
      'body', e.body, 'due_at', d.due_at, 'claimed_at', now(),
      'attempted_at', date_trunc('milliseconds', now() + (d.due_business_at - d.due_at)),
      'remaining_ms', extract(epoch from d.deadline_business_at - d.due_business_at) * 1000,
      'endpoint_version', w.version, 'endpoint_is_paused', w.is_paused,
      'endpoint_is_deleted', w.deleted_at is not null, 'rate_per_second', w.rate_per_second))
    from emitting e join delivery d on d.event_id = e.event_id and d.attempts > 0
    join webhook_endpoint w on w.merchant_id = :merchantId::uuid
      and w.environment = :environment::text and w.endpoint_id = d.endpoint_id
    where e.resource_id = ${resourceId})`;

export const eventsValue = (drafts: readonly EventDraft[]): string =>
  JSON.stringify(
    drafts.map((draft) => ({
      event_id: draft.eventId,
      event_type: draft.eventType,
      resource_id: draft.resourceId,
      sequence: draft.sequence,
      dedupe_key: draft.dedupeKey,
      signing_secret_id: draft.signingSecretId,
      is_test: draft.isTest ?? false,
      occurred_at: draft.occurredAt.toISOString(),
      body: JSON.stringify(draft.body),
      claimed_for: draft.claimedFor?.endpointIds,
      lease_ms: draft.claimedFor?.leaseMs,
    })),
  );
