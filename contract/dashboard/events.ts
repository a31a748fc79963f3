import Type from 'typebox';
import { eventTypes } from '../events.ts';
import { continued, goesOn, nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

/** Every event with or without a subscription, the newest first. */
export const listEvents = operation({
  id: 'listEvents',
  route: 'GET /events',
  access: 'member',
  summary: 'List events with what became of their deliveries.',
  rules: ['WEBHOOK-13', 'DASHBOARD-45'],
  query: Type.Object({
    eventType: Type.Optional(Type.Enum([...eventTypes])),
    resourceId: Type.Optional(uuid()),
    search: Type.Optional(
      Type.String({
        maxLength: limits.searchLength,
        description: 'The order or customer of a payment, or the id of a payment or refund.',
      }),
    ),
    ...goesOn('transactionAndId'),
  }),
  reply: continued({
    eventId: uuid(),
    eventType: Type.String(),
    resourceId: uuid(),
    paymentRequestId: nullable(uuid('Of the payment, or of the one that is refunded.')),
    orderId: nullable(Type.String({ description: 'Of the payment or refund.' })),
    sequence: Type.Integer(),
    isTest: Type.Boolean(),
    occurredAt: timestamp(),
    data: Type.Object({}, { additionalProperties: true }),
    deliveries: Type.Object({
      total: Type.Integer(),
      delivered: Type.Integer(),
      pending: Type.Integer(),
      failed: Type.Integer(),
    }),
  }),
});
