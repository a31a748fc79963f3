import {
  type EventType,
  eventLabels,
  type getWebhookEndpoint,
  type ReplyOf,
} from '@florin/contract';
import type { EndpointRow } from './store/endpoints.ts';

export const endpointView = (row: EndpointRow): ReplyOf<typeof getWebhookEndpoint> => ({
  id: row.endpoint_id,
  url: row.url,
  description: row.description,
  environment: row.environment,
  events: row.events.map(labelled),
  hasAuthentication: row.auth_kind !== 'NONE',
  authenticationType: row.auth_kind === 'NONE' ? null : row.auth_kind,
  ratePerSecond: row.rate_per_second,
  failureCount: Number(row.failure_count),
  lastDeliveredAt: row.last_delivered_at?.toISOString() ?? null,
});

export const labelled = (event: EventType) => ({ event, label: eventLabels[event] });

export const webhookView = (row: Pick<EndpointRow, 'endpoint_id' | 'url' | 'events'>) => ({
  webhookId: row.endpoint_id,
  url: row.url,
  event: row.events[0] ?? '',
});
