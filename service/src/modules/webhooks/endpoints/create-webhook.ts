import type { BodyOf, createWebhook as operation } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { checkUrl } from './check-url.ts';
import { webhookView } from './endpoint-view.ts';
import { insertEndpoint } from './store/endpoints.ts';
import { takeSlots } from './take-slots.ts';
import type { WebhookNetwork } from './webhook-network.ts';

/** v1: an endpoint with one event type, without credentials. */
export const createWebhook = async (
  tools: Uses<'database' | 'ids'> & { readonly webhookNetwork: WebhookNetwork },
  tenant: Tenant,
  { url, event }: BodyOf<typeof operation>,
) => {
  await checkUrl(tools.webhookNetwork, tenant.environment, 'url', url);
  const endpointId = tools.ids.uuid();
  await takeSlots('event', () =>
    tools.database.tenant(tenant.merchantId, insertEndpoint, {
      ...tenant,
      endpointId,
      apiVersion: 1,
      url,
      description: null,
      authKind: 'NONE',
      authEncrypted: null,
      ratePerSecond: null,
      events: [event],
    }),
  );
  return webhookView({ endpoint_id: endpointId, url, events: [event] });
};
