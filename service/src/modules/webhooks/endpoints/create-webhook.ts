import type { BodyOf, createWebhook as operation } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { checkUrl } from './check-url.ts';
import { checkAuthentication, sealAuthentication } from './endpoint-authentication.ts';
import { webhookView } from './endpoint-view.ts';
import { hasEndpoint, insertEndpoint } from './store/endpoints.ts';
import { takeSlots } from './take-slots.ts';
import type { WebhookNetwork } from './webhook-network.ts';

/** v1: an endpoint with one event type. */
export const createWebhook = async (
  tools: Uses<'database' | 'ids' | 'secrets'> & { readonly webhookNetwork: WebhookNetwork },
  tenant: Tenant,
  { url, event, authentication: given }: BodyOf<typeof operation>,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  await checkUrl(tools.webhookNetwork, tenant.environment, 'url', url);
  const authentication = await checkAuthentication(tools.webhookNetwork, tenant, given);
  const endpointId = await decideOnce(async () => tools.ids.uuid());
  const reply = webhookView({ endpoint_id: endpointId, url, events: [event] });
  if (await hasEndpoint(tools, tenant, endpointId)) return reply;
  await takeSlots('event', () =>
    tools.database.tenant(tenant.merchantId, insertEndpoint, {
      ...tenant,
      ...sealAuthentication(tools.secrets, tenant, endpointId, authentication ?? { kind: 'NONE' }),
      endpointId,
      apiVersion: 1,
      url,
      description: null,
      ratePerSecond: null,
      events: [event],
    }),
  );
  return reply;
};
