import Type from 'typebox';
import { eventTypes } from '../events.ts';
import { continued, digits, nullable, pageSize, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { getWebhookDelivery, listWebhookDeliveries } from '../merchant/webhook-log.ts';
import { operation } from '../operation.ts';

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

const delivery = listWebhookDeliveries.reply.properties.data.items.properties;

/** The newest first, of all endpoints, deleted ones too. */
export const listDeliveries = operation({
  id: 'listDeliveries',
  route: 'GET /deliveries',
  access: 'member',
  summary: 'List webhook deliveries, with why each failed.',
  rules: ['WEBHOOK-13', 'DASHBOARD-45'],
  query: Type.Object({
    endpointId: Type.Optional(uuid()),
    state: Type.Optional(Type.Enum([...deliveryStates])),
    eventType: Type.Optional(Type.Enum([...eventTypes])),
    resourceId: Type.Optional(uuid()),
    search: Type.Optional(
      Type.String({
        maxLength: limits.searchLength,
        description: 'The order or customer of a payment, or the id of a payment or refund.',
      }),
    ),
    before: Type.Optional(digits),
    limit: pageSize(20),
  }),
  reply: continued({
    ...delivery,
    orderId: nullable(Type.String({ description: 'Of the payment or refund.' })),
    url: Type.String(),
    why,
  }),
});

const { log, ...whole } = getWebhookDelivery.reply.properties;

export const getDelivery = operation({
  id: 'getDelivery',
  route: 'GET /deliveries/:endpointId/:deliveryId',
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
  failsWith: ['environmentMismatch'],
});
