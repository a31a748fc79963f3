import type { BodyOf, createWebhookEndpoint as operation } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { checkUrl } from './check-url.ts';
import { checkAuthentication, sealAuthentication } from './endpoint-authentication.ts';
import { getWebhookEndpoint } from './get-webhook-endpoint.ts';
import { hasEndpoint, insertEndpoint } from './store/endpoints.ts';
import { takeSlots } from './take-slots.ts';
import type { WebhookNetwork } from './webhook-network.ts';

export const createWebhookEndpoint = async (
  tools: Uses<'database' | 'ids' | 'secrets'> & { readonly webhookNetwork: WebhookNetwork },
  tenant: Tenant,
  input: BodyOf<typeof operation>,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  const { webhookNetwork } = tools;
  await checkUrl(webhookNetwork, tenant.environment, 'url', input.url);
  const authentication = await checkAuthentication(webhookNetwork, tenant, input.authentication);
  const endpointId = await decideOnce(async () => tools.ids.uuid());
  if (await hasEndpoint(tools, tenant, endpointId))
    return getWebhookEndpoint(tools, tenant, endpointId);
  await takeSlots('events', () =>
    tools.database.tenant(tenant.merchantId, insertEndpoint, {
      ...tenant,
      ...sealAuthentication(tools.secrets, tenant, endpointId, authentication ?? { kind: 'NONE' }),
      endpointId,
      apiVersion: 2,
      url: input.url,
      description: input.description ?? null,
      ratePerSecond: input.ratePerSecond ?? null,
      events: [...new Set(input.events)],
    }),
  );
  return getWebhookEndpoint(tools, tenant, endpointId);
};
