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
  /** It says again what an earlier one said: subscriptions of v1 do not get it (EVENT-2). */
  readonly isRepeat?: boolean;
  /** The tenant's own time. */
  readonly occurredAt: Date;
  /** Without signature fields; the order of its keys is the order on the wire. */
  readonly body: object;
  /** Of the call that began it, for the receiver: X-Request-Id and traceparent. */
  readonly requestId?: string | null;
  readonly traceparent?: string | null;
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
      signing_secret_id uuid, is_test boolean, is_repeat boolean, occurred_at timestamptz, body text,
      request_id uuid, traceparent text)
    where ${isWon}
  ),
  event as (
    insert into event (merchant_id, environment, event_id, event_type, resource_id, sequence,
      dedupe_key, signing_secret_id, is_test, is_repeat, occurred_at)
    select :merchantId::uuid, :environment::text, e.event_id, e.event_type, e.resource_id, e.sequence,
      e.dedupe_key, e.signing_secret_id, e.is_test, e.is_repeat, e.occurred_at
    from emitting e
  ),
  event_body as (
    insert into event_body (merchant_id, environment, event_id, event_type, sequence,
      signing_secret_id, body, request_id, traceparent)
    select :merchantId::uuid, :environment::text, e.event_id, e.event_type, e.sequence,
      e.signing_secret_id, e.body, e.request_id, e.traceparent
    from emitting e
  ),
  delivery as (
    insert into delivery (merchant_id, environment, event_id, endpoint_id, kind,
      due_business_at, deadline_business_at, created_at)
    select :merchantId::uuid, :environment::text, e.event_id, s.endpoint_id,
      case when e.is_test then 'TEST' else 'LIVE' end,
      e.occurred_at, e.occurred_at + interval '${limits.webhookDeliveryHours} hours', e.occurred_at
    from emitting e join subscription s
      on s.merchant_id = :merchantId::uuid and s.environment = :environment::text
        and s.event_type = e.event_type and not s.is_paused
        and not (e.is_repeat and s.api_version = 1)
    returning endpoint_id
  )`;
};

/** For the same statement's `returning`: the endpoints to wake after the commit. */
export const emittedEndpoints = `array(select distinct endpoint_id from delivery)`;

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
      is_repeat: draft.isRepeat ?? false,
      occurred_at: draft.occurredAt.toISOString(),
      body: JSON.stringify(draft.body),
      request_id: draft.requestId ?? null,
      traceparent: draft.traceparent ?? null,
    })),
  );
