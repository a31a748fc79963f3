import type { ReplyOf } from '@florin/contract';
import type { listWebhookHealth as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { explainDelivery } from './explain-delivery.ts';
import {
  type EndpointHealthRow,
  type HourRow,
  listEndpointHealth,
} from './store/read-deliveries.ts';

type Endpoint = ReplyOf<typeof operation>['data'][number];

export const listWebhookHealth = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  hours: number,
): Promise<ReplyOf<typeof operation>> => {
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
