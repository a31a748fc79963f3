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
import {
  createWebhook,
  createWebhookEndpoint,
  deleteEndpoint,
  updateWebhookEndpoint,
} from './endpoints/change-endpoints.ts';
import {
  getWebhookEndpoint,
  labelled,
  listWebhookEndpoints,
  listWebhooks,
} from './endpoints/endpoint.ts';
import { openWebhookNetwork, type WebhookNetwork } from './endpoints/webhook-network.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookMails,
} from './history/deliveries.ts';
import { listWebhookEvents } from './history/list-webhook-events.ts';
import { replayWebhooks } from './history/replay-webhooks.ts';

type RouteTools = Tools & { readonly webhookNetwork: WebhookNetwork };

export const merchantRoutes = (
  given: Tools & { readonly webhookNetwork?: WebhookNetwork },
): readonly Route[] => {
  const webhookNetwork = given.webhookNetwork ?? openWebhookNetwork(given.config);
  const tools = { ...given, webhookNetwork };
  return [...v1Routes(tools), ...endpointRoutes(tools), ...logRoutes(tools)];
};

const v1Routes = (tools: RouteTools): readonly Route[] => [
  route(createWebhookOperation, ({ body, decideOnce }, { tenant }) =>
    createWebhook(tools, tenant, body, decideOnce),
  ),
  route(listWebhooksOperation, (_, { tenant }) => listWebhooks(tools, tenant)),
  route(deleteWebhook, async ({ params: { webhookId }, decideOnce }, { tenant }) => {
    await deleteEndpoint(tools, tenant, webhookId, 1, decideOnce);
    return { webhookId };
  }),
];

const endpointRoutes = (tools: RouteTools): readonly Route[] => [
  route(createEndpointOperation, ({ body, decideOnce }, { tenant }) =>
    createWebhookEndpoint(tools, tenant, body, decideOnce),
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
  route(deleteWebhookEndpoint, async ({ params: { endpointId }, decideOnce }, { tenant }) => {
    await deleteEndpoint(tools, tenant, endpointId, 2, decideOnce);
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
  route(replayOperation, ({ params, body, decideOnce }, { tenant }) =>
    replayWebhooks(tools, tenant, params.endpointId, body, decideOnce),
  ),
  route(listEventsOperation, ({ query }, { tenant }) => listWebhookEvents(tools, tenant, query)),
  route(listMailsOperation, ({ query }, { tenant }) => listWebhookMails(tools, tenant, query)),
];
