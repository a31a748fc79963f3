import type { getWebhookDelivery, ReplyOf } from '@florin/contract';
import type { AttemptRow, DeliveryRow } from './store/log.ts';

type Whole = ReplyOf<typeof getWebhookDelivery>;

export const deliveryView = (row: DeliveryRow): Omit<Whole, 'body' | 'log'> => ({
  deliveryId: String(row.delivery_id),
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  eventType: row.event_type,
  resourceId: row.resource_id,
  kind: row.kind,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.state === 'PENDING' ? row.due_business_at.toISOString() : null,
  lastStatus: row.last_status,
  lastError: row.last_error,
  createdAt: row.created_at.toISOString(),
  completedAt: row.completed_at?.toISOString() ?? null,
});

export const attemptView = (row: AttemptRow): Whole['log'][number] => ({
  attempt: row.attempt_no,
  attemptedAt: row.attempted_at.toISOString(),
  outcome: row.outcome,
  status: row.status_code,
  dnsMs: row.dns_ms,
  connectMs: row.connect_ms,
  firstByteMs: row.first_byte_ms,
  totalMs: row.total_ms,
  requestHeaders: row.request_headers && JSON.parse(row.request_headers),
  bodySha256: row.body_sha256?.toString('hex') ?? null,
  responseHeaders: row.response_headers && JSON.parse(row.response_headers),
  responseBody: row.response_body?.toString('utf8') ?? null,
  retryAfterSeconds: row.retry_after_s,
  superseded: row.superseded,
});
