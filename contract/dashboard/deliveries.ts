import Type from 'typebox';
import { eventTypes } from '../events.ts';
import { nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { getWebhookDelivery, listWebhookDeliveries } from '../merchant/webhook-log.ts';
import { operation } from '../operation.ts';
import { setWebhookStatus } from '../sandbox/webhooks.ts';

/** Why something failed and what to do, in plain words. */
export const why = nullable(
  Type.Object({
    title: Type.String({ description: 'What happened, in a sentence.' }),
    advice: Type.String({ description: 'What to do about it.' }),
  }),
);

export const deliveryStates = [
  'FAILING',
  'PENDING',
  'DELIVERED',
  'EXHAUSTED',
  'CANCELLED',
] as const;

const page = Type.Integer({ minimum: 1, maximum: limits.pageSizeMax, default: 20 });

const digits = Type.String({ pattern: '^[0-9]{1,18}$', errorMessage: 'must be digits' });

const delivery = listWebhookDeliveries.reply.properties.data.items.properties;

/** The newest first, of all endpoints, deleted ones too. */
export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/deliveries',
  access: 'member',
  summary: 'List webhook deliveries, with why each failed.',
  rules: ['WEBHOOK-13', 'DASHBOARD-45'],
  query: Type.Object({
    endpointId: Type.Optional(uuid()),
    state: Type.Optional(Type.Enum([...deliveryStates])),
    eventType: Type.Optional(Type.Enum([...eventTypes])),
    resourceId: Type.Optional(uuid()),
    before: Type.Optional(digits),
    limit: page,
  }),
  reply: Type.Object({
    data: Type.Array(Type.Object({ ...delivery, url: Type.String(), why })),
    nextBefore: nullable(Type.String()),
  }),
  failsWith: ['badRequest'],
});

const { log, ...whole } = getWebhookDelivery.reply.properties;

export const getDelivery = operation({
  id: 'getDelivery',
  method: 'GET',
  path: '/deliveries/:endpointId/:deliveryId',
  access: 'member',
  summary: 'Read a delivery: what was sent, what came back, and why it failed.',
  rules: ['WEBHOOK-13', 'DASHBOARD-45'],
  params: Type.Object({ endpointId: uuid(), deliveryId: digits }),
  reply: Type.Object({
    ...whole,
    url: Type.String(),
    why,
    log: Type.Array(Type.Object({ ...log.items.properties, why })),
  }),
  failsWith: ['badRequest', 'environmentMismatch', 'notFound'],
});

const hourFields = {
  attempts: Type.Integer(),
  delivered: Type.Integer(),
  averageMs: nullable(Type.Integer({ description: 'From the request to the answer.' })),
  slowestMs: nullable(Type.Integer()),
};

export const listWebhookHealth = operation({
  id: 'listWebhookHealth',
  method: 'GET',
  path: '/webhooks/health',
  access: 'member',
  summary: 'Show how well each endpoint receives, hour by hour.',
  rules: ['DASHBOARD-45'],
  query: Type.Object({
    hours: Type.Integer({ minimum: 1, maximum: limits.webhookHealthHoursMax, default: 24 }),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        endpointId: uuid(),
        url: Type.String(),
        description: nullable(Type.String()),
        apiVersion: Type.Integer(),
        events: Type.Array(Type.String()),
        status: Type.Enum(['ACTIVE', 'PAUSED']),
        missedSince: nullable(timestamp('From when on the last pause kept events away.')),
        health: Type.Enum(['HEALTHY', 'FAILING', 'SILENT'], {
          description: 'SILENT: nothing was sent in these hours.',
        }),
        failingSince: nullable(timestamp()),
        lastDeliveredAt: nullable(timestamp()),
        why,
        pending: Type.Integer({ description: 'Deliveries that wait, up to a thousand.' }),
        ...hourFields,
        hours: Type.Array(Type.Object({ hour: timestamp('Its first moment.'), ...hourFields }), {
          description: 'Hours in which something was sent, the oldest first.',
        }),
      }),
    ),
  }),
  failsWith: ['badRequest'],
});

/** In both environments; while it is paused, events create no delivery to it. */
export const setEndpointStatus = operation({
  id: 'setEndpointStatus',
  method: 'POST',
  path: '/webhooks/:endpointId/status',
  access: 'member',
  summary: 'Pause a webhook endpoint, or let it go on.',
  rules: ['WEBHOOK-14'],
  params: setWebhookStatus.params,
  body: Type.Object({ status: Type.Enum(['ACTIVE', 'PAUSED']) }),
  reply: setWebhookStatus.reply,
  failsWith: ['badRequest', 'environmentMismatch', 'notFound'],
});
