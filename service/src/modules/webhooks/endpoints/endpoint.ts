import {
  type getWebhookEndpoint as describedGetWebhookEndpoint,
  type EventType,
  eventLabels,
  failures,
  type listWebhookEndpoints as operation,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { missing } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import {
  countEndpoints,
  type EndpointRow,
  findEndpoint,
  listEndpoints,
  listV1Webhooks,
  readEndpoint,
} from './store/endpoints.ts';

const endpointView = (row: EndpointRow): ReplyOf<typeof describedGetWebhookEndpoint> => ({
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

export const getWebhookEndpoint = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  endpointId: string,
) => {
  const values = { ...tenant, endpointId };
  const [row] = await tools.database.tenant(tenant.merchantId, readEndpoint, values);
  if (!row) throw await missingEndpoint(tools, tenant, endpointId);
  return endpointView(row);
};

export const missingEndpoint = (tools: Uses<'database'>, tenant: Tenant, endpointId: string) =>
  missing(tenant, 'No webhook endpoint was found under this id.', async (elsewhere) => {
    const values = { ...elsewhere, endpointId };
    const [row] = await tools.database.tenant(tenant.merchantId, findEndpoint, values);
    return row !== undefined && !row.is_deleted;
  });

/**
 * Of either version. The log of a deleted endpoint can be read, but nothing is sent to it again; a
 * paused one gets nothing before it is resumed.
 */
export const requireEndpoint = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  endpointId: string,
  needed: 'ANY' | 'PRESENT' | 'ACTIVE' = 'ANY',
): Promise<void> => {
  const values = { ...tenant, endpointId };
  const [row] = await tools.database.tenant(tenant.merchantId, findEndpoint, values);
  if (!row || (needed !== 'ANY' && row.is_deleted))
    throw await missingEndpoint(tools, tenant, endpointId);
  if (needed === 'ACTIVE' && row.is_paused) throw isPaused();
};

const isPaused = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'The endpoint is paused: let it go on before you replay to it.',
  });

export const listWebhookEndpoints = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof operation>,
) => {
  const call = tools.database.tenant;
  const [rows, [counted]] = await Promise.all([
    call(tenant.merchantId, listEndpoints, { ...tenant, size, skipped: page * size }),
    call(tenant.merchantId, countEndpoints, tenant),
  ]);
  return { data: rows.map(endpointView), totalCount: Number(counted?.total ?? 0), page, size };
};

export const listWebhooks = async (tools: Uses<'database'>, tenant: Tenant) =>
  (await tools.database.tenant(tenant.merchantId, listV1Webhooks, tenant)).map(webhookView);
