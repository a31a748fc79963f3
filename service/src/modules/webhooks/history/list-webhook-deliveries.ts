import type { listWebhookDeliveries as operation, QueryOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { requireEndpoint } from '../endpoints/get-webhook-endpoint.ts';
import { deliveryView } from './delivery-view.ts';
import { listDeliveries } from './store/log.ts';

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
