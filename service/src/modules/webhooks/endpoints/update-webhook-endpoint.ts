import { type BodyOf, failures, type updateWebhookEndpoint as operation } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { checkAuthentication, sealAuthentication } from './endpoint-authentication.ts';
import { getWebhookEndpoint, missingEndpoint } from './get-webhook-endpoint.ts';
import { updateEndpoint } from './store/endpoints.ts';
import { takeSlots } from './take-slots.ts';
import type { WebhookNetwork } from './webhook-network.ts';

export const updateWebhookEndpoint = async (
  tools: Uses<'database' | 'secrets'> & { readonly webhookNetwork: WebhookNetwork },
  tenant: Tenant,
  endpointId: string,
  input: BodyOf<typeof operation>,
) => {
  const current = await getWebhookEndpoint(tools, tenant, endpointId);
  if (input.url !== undefined && input.url !== current.url) throw urlIsFixed();
  const authentication = await checkAuthentication(
    tools.webhookNetwork,
    tenant,
    input.authentication,
  );
  const sealed = authentication
    ? sealAuthentication(tools.secrets, tenant, endpointId, authentication)
    : { authKind: null, authEncrypted: null };
  const isDone = await takeSlots('events', () =>
    tools.database.tenant(tenant.merchantId, updateEndpoint, {
      ...tenant,
      ...sealed,
      endpointId,
      apiVersion: 2,
      events: input.events ? [...new Set(input.events)] : null,
      setsDescription: input.description !== undefined,
      description: input.description ?? null,
      setsRate: input.ratePerSecond !== undefined,
      ratePerSecond: input.ratePerSecond ?? null,
    }),
  );
  if (!isDone) throw await missingEndpoint(tools, tenant, endpointId);
  return getWebhookEndpoint(tools, tenant, endpointId);
};

const urlIsFixed = () => {
  const message = 'url cannot be changed: delete the endpoint and create another';
  const errors = [{ field: 'url', message }];
  return new Failure(failures.badRequest, { message: `${message}.`, errors });
};
