import type { QueryOf, ReplyOf } from '@florin/contract';
import type {
  getDelivery as operationGetDelivery,
  listDeliveries as operationListDeliveries,
  listEvents as operationListEvents,
  listWebhookHealth as operationListWebhookHealth,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { deliveryView, getWebhookDelivery } from '#modules/webhooks/index.ts';
import type { Uses } from '#platform/tools.ts';
import { explainDelivery } from './explain-delivery.ts';
import {
  type EndpointHealthRow,
  type HourRow,
  listAllDeliveries,
  listEndpointHealth,
  listFailingDeliveries,
  listNewestEvents,
  listResourceDeliveries,
  listResourceEvents,
  type MemberDeliveryRow,
  type MemberEventRow,
  readEndpointUrl,
} from './store/deliveries.ts';

export const getDelivery = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
): Promise<ReplyOf<typeof operationGetDelivery>> => {
  const delivery = await getWebhookDelivery(tools, tenant, endpointId, deliveryId);
  const values = { ...tenant, endpointId };
  const [endpoint] = await tools.database.tenant(tenant.merchantId, readEndpointUrl, values);
  return {
    ...delivery,
    url: endpoint?.url ?? '',
    why: explainDelivery({ outcome: delivery.lastError, status: delivery.lastStatus }),
    log: delivery.log.map((attempt) => ({ ...attempt, why: explainDelivery(attempt) })),
  };
};

const maxRead = 2_000;
const failing: readonly (string | undefined)[] = ['FAILING', 'EXHAUSTED'];

/** DASHBOARD-45: of all endpoints, with why each failed. */
export const listDeliveries = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  {
    endpointId,
    state,
    eventType,
    resourceId,
    before,
    limit,
  }: QueryOf<typeof operationListDeliveries>,
): Promise<ReplyOf<typeof operationListDeliveries>> => {
  const { merchantId } = tenant;
  if (resourceId) {
    const values = { ...tenant, resourceId, limit };
    const rows = await database.tenant(merchantId, listResourceDeliveries, values);
    return { data: rows.map(shownDelivery), nextBefore: null };
  }
  const list = failing.includes(state) ? listFailingDeliveries : listAllDeliveries;
  const rows = await database.tenant(merchantId, list, {
    ...tenant,
    endpointId: endpointId ?? null,
    states: state === undefined || state === 'FAILING' ? null : [state],
    eventType: eventType ?? null,
    before: before ?? null,
    read: maxRead,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit || rows[0]?.is_whole === false;
  const end = page.at(-1);
  return {
    data: page.filter(({ matches }) => matches).map(shownDelivery),
    nextBefore: hasMore && end ? String(end.delivery_id) : null,
  };
};

const shownDelivery = (row: MemberDeliveryRow) => ({
  ...deliveryView(row),
  url: row.url,
  why: explainDelivery({ outcome: row.last_error, status: row.last_status }),
});

type Endpoint = ReplyOf<typeof operationListWebhookHealth>['data'][number];

export const listWebhookHealth = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  hours: number,
): Promise<ReplyOf<typeof operationListWebhookHealth>> => {
  const rows = await database.tenant(tenant.merchantId, listEndpointHealth, { ...tenant, hours });
  return { data: rows.map(endpointOf) };
};

const endpointOf = (row: EndpointHealthRow): Endpoint => ({
  endpointId: row.endpoint_id,
  url: row.url,
  description: row.description,
  apiVersion: row.api_version,
  events: [...row.events],
  status: row.is_paused ? 'PAUSED' : 'ACTIVE',
  missedSince: row.missed_since?.toISOString() ?? null,
  health: healthOf(row),
  failingSince: row.failing_since?.toISOString() ?? null,
  lastDeliveredAt: row.last_delivered_at?.toISOString() ?? null,
  why: row.failing_since === null ? null : explainLastError(row.last_error),
  pending: row.pending,
  ...measured(row.hours),
  hours: row.hours.map((hour) => ({
    hour: new Date(hour.hour).toISOString(),
    ...measured([hour]),
  })),
});

const healthOf = (row: EndpointHealthRow): Endpoint['health'] => {
  if (row.failing_since !== null) return 'FAILING';
  return row.hours.length === 0 ? 'SILENT' : 'HEALTHY';
};

const measured = (hours: readonly HourRow[]) => {
  const sum = (of: (hour: HourRow) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const attempts = sum((hour) => hour.attempts);
  return {
    attempts,
    delivered: sum((hour) => hour.delivered),
    averageMs: attempts === 0 ? null : Math.round(sum((hour) => hour.took_ms) / attempts),
    slowestMs: attempts === 0 ? null : Math.max(...hours.map((hour) => hour.slowest_ms)),
  };
};

/** As the health of an endpoint stores it: the outcome, and the status where there is one. */
const explainLastError = (text: string | null) => {
  const [outcome = null, status] = text?.split(' ') ?? [];
  return explainDelivery({ outcome, status: status === undefined ? null : Number(status) });
};

const end = ['9223372036854775807', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

export const listEvents = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { eventType, resourceId, before, limit }: QueryOf<typeof operationListEvents>,
): Promise<ReplyOf<typeof operationListEvents>> => {
  const { merchantId } = tenant;
  if (resourceId) {
    const values = { ...tenant, resourceId, limit };
    const rows = await database.tenant(merchantId, listResourceEvents, values);
    const wanted = rows.filter((row) => eventType === undefined || row.event_type === eventType);
    return { data: wanted.map(shownEvent), nextBefore: null };
  }
  const [beforeIn = end[0], beforeId = end[1]] = before?.split('.') ?? end;
  const rows = await database.tenant(merchantId, listNewestEvents, {
    ...tenant,
    eventType: eventType ?? null,
    beforeIn,
    beforeId,
    read: maxRead,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit || rows[0]?.is_whole === false;
  const last = page.at(-1);
  return {
    data: page.filter(({ matches }) => matches).map(shownEvent),
    nextBefore: hasMore && last ? `${last.written_in}.${last.event_id}` : null,
  };
};

const shownEvent = (row: MemberEventRow) => ({
  eventId: row.event_id,
  eventType: row.event_type,
  resourceId: row.resource_id,
  sequence: row.sequence,
  isTest: row.is_test,
  occurredAt: row.occurred_at.toISOString(),
  data: JSON.parse(row.body ?? '{}'),
  deliveries: {
    total: row.total,
    delivered: row.delivered,
    pending: row.pending,
    failed: row.failed,
  },
});
