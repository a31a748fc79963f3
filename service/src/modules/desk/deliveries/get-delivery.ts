import type { ReplyOf } from '@florin/contract';
import type { getDelivery as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { getWebhookDelivery } from '#modules/webhooks/index.ts';
import type { Uses } from '#platform/tools.ts';
import { explainDelivery } from './explain-delivery.ts';
import { readEndpointUrl } from './store/read-deliveries.ts';

export const getDelivery = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
): Promise<ReplyOf<typeof operation>> => {
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
