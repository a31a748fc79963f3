import {
  createWebhookEndpoint as createEndpointOperation,
  createWebhook as createWebhookOperation,
  deleteWebhook,
  deleteWebhookEndpoint,
  eventTypes,
  getWebhookEndpoint as getEndpointOperation,
  listWebhookEndpoints as listEndpointsOperation,
  listWebhookEventTypes,
  listWebhooks as listWebhooksOperation,
  updateWebhookEndpoint as updateEndpointOperation,
} from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';
import { createWebhook } from './create-webhook.ts';
import { createWebhookEndpoint } from './create-webhook-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { getWebhookEndpoint } from './get-webhook-endpoint.ts';
import { listWebhookEndpoints } from './list-webhook-endpoints.ts';
import { listWebhooks } from './list-webhooks.ts';
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts';
import { labelled } from './view.ts';
import { openWebhookNetwork, type WebhookNetwork } from './webhook-network.ts';

export const merchantRoutes = (
  given: Tools & { readonly webhookNetwork?: WebhookNetwork },
): readonly Route[] => {
  const webhookNetwork = given.webhookNetwork ?? openWebhookNetwork(given.config);
  const tools = { ...given, webhookNetwork };
  return [
    route(createWebhookOperation, ({ body }, { tenant }) => createWebhook(tools, tenant, body)),
    route(listWebhooksOperation, (_, { tenant }) => listWebhooks(tools, tenant)),
    route(deleteWebhook, async ({ params: { webhookId } }, { tenant }) => {
      await deleteEndpoint(tools, tenant, webhookId, 1);
      return { webhookId };
    }),
    route(createEndpointOperation, ({ body }, { tenant }) =>
      createWebhookEndpoint(tools, tenant, body),
    ),
    route(listEndpointsOperation, ({ query }, { tenant }) =>
      listWebhookEndpoints(tools, tenant, query),
    ),
    route(getEndpointOperation, ({ params }, { tenant }) =>
      getWebhookEndpoint(tools, tenant, params.endpointId),
    ),
    route(updateEndpointOperation, ({ params, body }, { tenant }) =>
      updateWebhookEndpoint(tools, tenant, params.endpointId, body),
    ),
    route(deleteWebhookEndpoint, async ({ params: { endpointId } }, { tenant }) => {
      await deleteEndpoint(tools, tenant, endpointId, 2);
      return { id: endpointId };
    }),
    route(listWebhookEventTypes, async () => eventTypes.map(labelled)),
  ];
};
