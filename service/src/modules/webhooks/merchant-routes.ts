import {
  createWebhookEndpoint as createEndpointOperation,
  createWebhook as createWebhookOperation,
  deleteWebhook,
  deleteWebhookEndpoint,
  eventTypes,
  getWebhookDelivery as getDeliveryOperation,
  getWebhookEndpoint as getEndpointOperation,
  listWebhookDeliveries as listDeliveriesOperation,
  listWebhookEndpoints as listEndpointsOperation,
  listWebhookEvents as listEventsOperation,
  listWebhookMails as listMailsOperation,
  listWebhookEventTypes,
  listWebhooks as listWebhooksOperation,
  replayWebhooks as replayOperation,
  updateWebhookEndpoint as updateEndpointOperation,
} from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';
import { createWebhook } from './create-webhook.ts';
import { createWebhookEndpoint } from './create-webhook-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { getWebhookEndpoint } from './get-webhook-endpoint.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { listWebhookEndpoints } from './list-webhook-endpoints.ts';
import { listWebhookEvents } from './list-webhook-events.ts';
import { listWebhookMails } from './list-webhook-mails.ts';
import { listWebhooks } from './list-webhooks.ts';
import { replayWebhooks } from './replay-webhooks.ts';
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts';
import { labelled } from './view.ts';
import { openWebhookNetwork, type WebhookNetwork } from './webhook-network.ts';

type RouteTools = Tools & { readonly webhookNetwork: WebhookNetwork };

export const merchantRoutes = (
  given: Tools & { readonly webhookNetwork?: WebhookNetwork },
): readonly Route[] => {
  const webhookNetwork = given.webhookNetwork ?? openWebhookNetwork(given.config);
  const tools = { ...given, webhookNetwork };
  return [...v1Routes(tools), ...endpointRoutes(tools), ...logRoutes(tools)];
};

const v1Routes = (tools: RouteTools): readonly Route[] => [
  route(createWebhookOperation, ({ body }, { tenant }) => createWebhook(tools, tenant, body)),
  route(listWebhooksOperation, (_, { tenant }) => listWebhooks(tools, tenant)),
  route(deleteWebhook, async ({ params: { webhookId } }, { tenant }) => {
    await deleteEndpoint(tools, tenant, webhookId, 1);
    return { webhookId };
  }),
];

const endpointRoutes = (tools: RouteTools): readonly Route[] => [
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

const logRoutes = (tools: RouteTools): readonly Route[] => [
  route(listDeliveriesOperation, ({ params, query }, { tenant }) =>
    listWebhookDeliveries(tools, tenant, params.endpointId, query),
  ),
  route(getDeliveryOperation, ({ params }, { tenant }) =>
    getWebhookDelivery(tools, tenant, params.endpointId, params.deliveryId),
  ),
  route(replayOperation, ({ params, body }, { tenant }) =>
    replayWebhooks(tools, tenant, params.endpointId, body),
  ),
  route(listEventsOperation, ({ query }, { tenant }) => listWebhookEvents(tools, tenant, query)),
  route(listMailsOperation, ({ query }, { tenant }) => listWebhookMails(tools, tenant, query)),
];
