import type { BodyOf, createWebhookEndpoint as operation } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { checkUrl } from './check-url.ts';
import { checkAuthentication, sealAuthentication } from './endpoint-authentication.ts';
import { getWebhookEndpoint } from './get-webhook-endpoint.ts';
import { insertEndpoint } from './store/endpoints.ts';
import { takePlaces } from './take-places.ts';
import type { WebhookNetwork } from './webhook-network.ts';

export const createWebhookEndpoint = async (
  tools: Uses<'database' | 'ids' | 'secrets'> & { readonly webhookNetwork: WebhookNetwork },
  tenant: Tenant,
  asked: BodyOf<typeof operation>,
) => {
  const { webhookNetwork } = tools;
  await checkUrl(webhookNetwork, tenant.environment, 'url', asked.url);
  const authentication = await checkAuthentication(webhookNetwork, tenant, asked.authentication);
  const endpointId = tools.ids.uuid();
  await takePlaces('events', () =>
    tools.database.tenant(tenant.merchantId, insertEndpoint, {
      ...tenant,
      ...sealAuthentication(tools.secrets, tenant, endpointId, authentication ?? { kind: 'NONE' }),
      endpointId,
      apiVersion: 2,
      url: asked.url,
      description: asked.description ?? null,
      ratePerSecond: asked.ratePerSecond ?? null,
      events: [...new Set(asked.events)],
    }),
  );
  return getWebhookEndpoint(tools, tenant, endpointId);
};
