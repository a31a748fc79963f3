import {
  type getWebhookDelivery as describedGetWebhookDelivery,
  failures,
  type listWebhookDeliveries as operation,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { requireEndpoint } from '../endpoints/endpoint.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  listAttempts,
  listDeliveries,
  readDelivery,
} from './store/log.ts';
import { listMails } from './store/mails.ts';

type Whole = ReplyOf<typeof describedGetWebhookDelivery>;

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

const attemptView = (row: AttemptRow): Whole['log'][number] => ({
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

const maxAttempts = 100;

export const getWebhookDelivery = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  endpointId: string,
  deliveryId: string,
) => {
  await requireEndpoint(tools, tenant, endpointId);
  const values = { ...tenant, endpointId, deliveryId, limit: maxAttempts };
  const [[row], attempts] = await Promise.all([
    tools.database.tenant(tenant.merchantId, readDelivery, values),
    tools.database.tenant(tenant.merchantId, listAttempts, values),
  ]);
  if (!row) throw noDelivery();
  return { ...deliveryView(row), body: row.body, log: attempts.map(attemptView) };
};

export const noDelivery = (): Failure =>
  new Failure(failures.notFound, { message: 'No delivery was found under this id.' });

export const listWebhookDeliveries = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  endpointId: string,
  query: QueryOf<typeof operation>,
) => {
  await requireEndpoint(tools, tenant, endpointId);
  const rows = await tools.database.tenant(tenant.merchantId, listDeliveries, {
    ...tenant,
    endpointId,
    before: query.before ?? null,
    state: query.state ?? null,
    eventId: query.eventId ?? null,
    limit: query.limit,
  });
  const last = rows.length === query.limit ? rows.at(-1) : undefined;
  return { data: rows.map(deliveryView), nextBefore: last ? String(last.delivery_id) : null };
};

export const listWebhookMails = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { limit }: { readonly limit: number },
) => {
  const values = { ...tenant, limit };
  const rows = await tools.database.tenant(tenant.merchantId, listMails, values);
  return rows.map((row) => ({
    to: row.recipient,
    subject: row.subject,
    text: row.body,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    lastError: row.last_error,
  }));
};
