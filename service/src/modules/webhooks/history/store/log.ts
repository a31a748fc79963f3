import type { EventType } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { EndpointKey } from '../../endpoints/store/endpoints.ts';

export type DeliveryRow = {
  readonly delivery_id: bigint;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly resource_id: string;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly due_business_at: Date;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly created_at: Date;
  readonly completed_at: Date | null;
};

const columns = `d.delivery_id, d.endpoint_id, d.event_id, e.event_type, e.resource_id, d.kind, d.state,
  d.attempts, d.due_business_at, d.last_status, d.last_error, d.created_at, d.completed_at`;

const ofEndpoint = sql('merchantId', 'environment', 'endpointId')`
   delivery d
   join event e on e.merchant_id = d.merchant_id and e.environment = d.environment
     and e.event_id = d.event_id
   where d.merchant_id = :merchantId and d.environment = :environment
     and d.endpoint_id = :endpointId`;

export const listDeliveries = statement<
  EndpointKey & {
    readonly before: string | null;
    readonly state: string | null;
    readonly eventId: string | null;
    readonly limit: number;
  },
  DeliveryRow
>(
  'delivery_list',
  sql('before', 'state', 'eventId', 'limit')`
   select ${columns} from ${ofEndpoint}
     and (:before::bigint is null or d.delivery_id < :before::bigint)
     and (:state::text is null or d.state = :state::text)
     and (:eventId::uuid is null or d.event_id = :eventId::uuid)
   order by d.delivery_id desc limit :limit`,
);

type DeliveryKey = EndpointKey & { readonly deliveryId: string };

export const readDelivery = statement<DeliveryKey, DeliveryRow & { readonly body: string | null }>(
  'delivery_read',
  sql('deliveryId')`
   select ${columns}, (select b.body from event_body b where b.merchant_id = d.merchant_id
     and b.environment = d.environment and b.event_id = d.event_id limit 1) as body
   from ${ofEndpoint} and d.delivery_id = :deliveryId::bigint`,
);

export type AttemptRow = {
  readonly attempt_no: number;
  readonly attempted_at: Date;
  readonly outcome: string;
  readonly status_code: number | null;
  readonly superseded: boolean;
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly first_byte_ms: number | null;
  readonly total_ms: number | null;
  readonly request_headers: string | null;
  readonly body_sha256: Buffer | null;
  readonly response_headers: string | null;
  readonly response_body: Buffer | null;
  readonly retry_after_s: number | null;
};

export const listAttempts = statement<DeliveryKey & { readonly limit: number }, AttemptRow>(
  'webhook_attempt_list',
  sql('merchantId', 'environment', 'endpointId', 'deliveryId', 'limit')`
   select attempt_no, attempted_at, outcome, status_code, superseded, dns_ms, connect_ms,
     first_byte_ms, total_ms, request_headers, body_sha256, response_headers, response_body,
     retry_after_s
   from webhook_attempt
   where merchant_id = :merchantId and environment = :environment and endpoint_id = :endpointId
     and delivery_id = :deliveryId::bigint
   order by attempt_no, written_at limit :limit`,
);

export type FeedRow = {
  readonly written_in: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly resource_id: string;
  readonly sequence: number;
  readonly is_test: boolean;
  readonly occurred_at: Date;
  readonly body: string | null;
};

// Below the oldest open transaction only: one that began earlier and commits later is never missed,
// because none of its events can be before a cursor that was handed out.
export const readEvents = statement<
  Tenant & {
    readonly writtenIn: string;
    readonly eventId: string;
    readonly limit: number;
  },
  FeedRow
>(
  'event_feed',
  sql('merchantId', 'environment', 'writtenIn', 'eventId', 'limit')`
   select e.written_in::text, e.event_id, e.event_type, e.resource_id, e.sequence, e.is_test,
     e.occurred_at, b.body
   from event e
   left join event_body b on b.merchant_id = e.merchant_id and b.environment = e.environment
     and b.event_id = e.event_id and b.written_at = e.written_at
   where e.merchant_id = :merchantId and e.environment = :environment
     and (e.written_in, e.event_id) > (:writtenIn::xid8, :eventId::uuid)
     and e.written_in < written_horizon()
   order by e.written_in, e.event_id limit :limit`,
);

/**
 * The cursor of a reader that wants only future events: of an event of its own, for a number of this cell
 * may be above what is written in that to which the merchant moves.
 */
export const readFeedEnd = statement<
  Tenant,
  { readonly written_in: string; readonly event_id: string }
>(
  'event_feed_end',
  sql('merchantId', 'environment')`
   select written_in::text, event_id from event
   where merchant_id = :merchantId and environment = :environment and written_in < written_horizon()
   order by written_in desc, event_id desc limit 1`,
);
