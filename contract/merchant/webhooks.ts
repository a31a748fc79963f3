import Type from 'typebox';
import { eventTypes } from '../events.ts';
import { nullable, pageNumber, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const url = Type.String({
  minLength: 1,
  maxLength: limits.webhookUrlLength,
  description: 'https in production; in the sandbox http and loopback are allowed too.',
});

const event = Type.Enum([...eventTypes]);

const webhook = Type.Object({ webhookId: uuid(), url: Type.String(), event: Type.String() });

const credential = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: limits.webhookCredentialLength, description }),
  );

/** Either clientId, clientSecret and authUrl (OAuth 2.0), or username and password (Basic). */
const authentication = nullable(
  Type.Object(
    {
      clientId: credential('OAuth 2.0 client credentials.'),
      clientSecret: credential('OAuth 2.0 client credentials.'),
      authUrl: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.webhookUrlLength,
          description: 'OAuth 2.0 token endpoint of the merchant.',
        }),
      ),
      username: credential('Basic; without a colon.'),
      password: credential('Basic.'),
    },
    {
      published: {
        anyOf: [
          { required: ['clientId', 'clientSecret', 'authUrl'] },
          { required: ['username', 'password'] },
        ],
      },
    },
  ),
);

/**
 * One event per call. In v1 one webhook per event type; further endpoints are for v2.
 * POS_PAYMENT_STATUS needs a signing secret. Only HTTP 200 counts as delivered. Credentials are stored
 * encrypted and never shown again.
 */
export const createWebhook = operation({
  id: 'createWebhook',
  route: 'POST /api/webhook/merchant',
  access: 'secret',
  summary: 'Subscribe an address to one event type (v1).',
  rules: ['WEBHOOK-1', 'WEBHOOK-3'],
  idempotent: true,
  body: Type.Object({ url, event, authentication: Type.Optional(authentication) }),
  reply: webhook,
});

export const listWebhooks = operation({
  id: 'listWebhooks',
  route: 'GET /api/webhook/merchant',
  access: 'secret',
  summary: 'List the v1 webhooks of the environment.',
  rules: ['WEBHOOK-1'],
  reply: Type.Array(webhook),
});

/** Pending deliveries are cancelled. */
export const deleteWebhook = operation({
  id: 'deleteWebhook',
  route: 'DELETE /api/webhook/:webhookId/merchant',
  access: 'secret',
  summary: 'Delete a v1 webhook.',
  rules: ['WEBHOOK-1'],
  idempotent: true,
  params: Type.Object({ webhookId: uuid() }),
  reply: Type.Object({ webhookId: uuid() }),
  failsWith: ['environmentMismatch', 'notFound'],
});

const description = nullable(
  Type.String({ maxLength: limits.webhookDescriptionLength, description: 'For people.' }),
);

const ratePerSecond = nullable(
  Type.Integer({
    minimum: 1,
    maximum: limits.webhookRatePerSecondMax,
    description: 'At most as many deliveries a second, from each worker; null: no limit.',
  }),
);

const events = Type.Array(event, {
  minItems: 1,
  maxItems: eventTypes.length * 4,
  description: 'At most three endpoints per event type.',
});

const endpoint = Type.Object({
  id: uuid(),
  url: Type.String(),
  description: nullable(Type.String()),
  environment: Type.Enum(['SANDBOX', 'PRODUCTION']),
  events: Type.Array(Type.Object({ event: Type.String(), label: Type.String() })),
  hasAuthentication: Type.Boolean(),
  authenticationType: nullable(Type.String({ description: 'OAUTH2, BASIC or null.' })),
  ratePerSecond,
  failureCount: Type.Integer({ description: 'Failed attempts so far.' }),
  lastDeliveredAt: nullable(timestamp()),
});

const endpointParams = Type.Object({ endpointId: uuid() });

/** Credentials are stored encrypted and never shown again. */
export const createWebhookEndpoint = operation({
  id: 'createWebhookEndpoint',
  route: 'POST /api/webhook/v2/endpoints',
  access: 'secret',
  summary: 'Create an endpoint for one or more event types (v2).',
  rules: ['WEBHOOK-2', 'WEBHOOK-3'],
  idempotent: true,
  body: Type.Object({
    url,
    events,
    description: Type.Optional(description),
    authentication: Type.Optional(authentication),
    ratePerSecond: Type.Optional(ratePerSecond),
  }),
  reply: endpoint,
});

export const listWebhookEndpoints = operation({
  id: 'listWebhookEndpoints',
  route: 'GET /api/webhook/v2/endpoints',
  access: 'secret',
  summary: 'List the endpoints of the environment, the newest first.',
  rules: ['WEBHOOK-2'],
  query: Type.Object({
    page: pageNumber,
    size: Type.Integer({
      minimum: 1,
      maximum: limits.webhookEndpointPageSizeMax,
      default: limits.webhookEndpointPageSize,
    }),
  }),
  reply: Type.Object({
    data: Type.Array(endpoint),
    totalCount: Type.Integer(),
    page: Type.Integer(),
    size: Type.Integer(),
  }),
});

export const getWebhookEndpoint = operation({
  id: 'getWebhookEndpoint',
  route: 'GET /api/webhook/v2/endpoints/:endpointId',
  access: 'secret',
  summary: 'Read an endpoint.',
  rules: ['WEBHOOK-2'],
  params: endpointParams,
  reply: endpoint,
  failsWith: ['environmentMismatch', 'notFound'],
});

/**
 * `events` replaces the whole set. Members that are left out keep their value; `authentication:
 * null` removes it. The url cannot be changed: delete the endpoint and create another.
 */
export const updateWebhookEndpoint = operation({
  id: 'updateWebhookEndpoint',
  route: 'PUT /api/webhook/v2/endpoints/:endpointId',
  access: 'secret',
  summary: 'Change the events, description, authentication or rate of an endpoint.',
  rules: ['WEBHOOK-2'],
  idempotent: true,
  params: endpointParams,
  body: Type.Object({
    url: Type.Optional(Type.String({ description: 'Only the same again.' })),
    events: Type.Optional(events),
    description: Type.Optional(description),
    authentication: Type.Optional(authentication),
    ratePerSecond: Type.Optional(ratePerSecond),
  }),
  reply: endpoint,
  failsWith: ['environmentMismatch', 'notFound'],
});

/** Pending deliveries are cancelled. */
export const deleteWebhookEndpoint = operation({
  id: 'deleteWebhookEndpoint',
  route: 'DELETE /api/webhook/v2/endpoints/:endpointId',
  access: 'secret',
  summary: 'Delete an endpoint.',
  rules: ['WEBHOOK-2'],
  idempotent: true,
  params: endpointParams,
  reply: Type.Object({ id: uuid() }),
  failsWith: ['environmentMismatch', 'notFound'],
});

export const listWebhookEventTypes = operation({
  id: 'listWebhookEventTypes',
  route: 'GET /api/webhook/v2/event-types',
  access: 'secret',
  summary: 'List what can be subscribed to.',
  rules: ['WEBHOOK-2'],
  reply: Type.Array(Type.Object({ event: Type.String(), label: Type.String() })),
});

/**
 * Sends a made-up event to every active subscription of its type, signed and retried like a real one.
 * AUTHORIZED is for cards only; EXPIRED_STATUS ignores `status`; `type` and `customFields` are for
 * POS_PAYMENT_STATUS only.
 */
export const triggerTestWebhook = operation({
  id: 'triggerTestWebhook',
  route: 'POST /api/webhook/test',
  access: 'sandboxSecret',
  summary: 'Send a test event.',
  rules: ['WEBHOOK-12'],
  idempotent: true,
  body: Type.Object({
    eventType: event,
    orderId: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.referenceLength, integerToo: true }),
    ),
    amount: Type.Optional(Type.Number({ description: 'Pounds; becomes paidAmount.' })),
    paymentMethod: Type.Optional(Type.Enum(['CARD', 'PAY_BY_BANK'])),
    status: Type.Optional(
      Type.Enum(['COMPLETED', 'PENDING', 'AUTHORIZED', 'FAILED', 'CANCELLED', 'EXPIRED']),
    ),
    type: Type.Optional(
      Type.Enum(['PAYMENTS_STATUS', 'REFUND_STATUS', 'EXPIRED_STATUS'], {
        description: 'Shape of a POS_PAYMENT_STATUS body; default PAYMENTS_STATUS.',
      }),
    ),
    customFields: Type.Optional(
      Type.Array(
        Type.Object({
          value: Type.String({ maxLength: limits.webhookCustomFieldLength }),
          fieldName: Type.String({ maxLength: limits.webhookCustomFieldLength }),
        }),
        { maxItems: limits.webhookCustomFields },
      ),
    ),
  }),
  reply: Type.Object({ message: Type.String() }),
});
