import Type from 'typebox';
import { nullable, timestamp, uuid } from '../fields.ts';
import { operation } from '../operation.ts';
import { dispute } from './disputes.ts';

/** Everything that is known of a payment request, in order: states, money, refunds, events and deliveries. */
export const getPaymentTimeline = operation({
  id: 'getPaymentTimeline',
  route: 'GET /payments/:paymentRequestId/timeline',
  access: 'member',
  summary: 'Show what happened to a payment, in order.',
  rules: ['DASHBOARD-43'],
  params: Type.Object({ paymentRequestId: uuid() }),
  reply: Type.Object({
    paymentRequestId: uuid(),
    status: Type.String({ description: 'Of the request.' }),
    amount: Type.Number(),
    paidAmount: Type.Number({ description: 'Without tips.' }),
    orderId: Type.String(),
    customerId: Type.String({ description: "The merchant's own reference." }),
    savedCustomerId: nullable(uuid('Of a customer of the service.')),
    notes: nullable(Type.String()),
    storeName: nullable(Type.String()),
    createdAt: timestamp(),
    expiresAt: timestamp(),
    disputes: Type.Array(dispute, { description: 'Of its card payments.' }),
    entries: Type.Array(
      Type.Object({
        at: timestamp("The tenant's time."),
        kind: Type.Enum(['REQUEST', 'ATTEMPT', 'REFUND', 'MONEY', 'EVENT', 'DELIVERY']),
        title: Type.String({ description: 'What happened, in plain words.' }),
        detail: nullable(Type.String()),
        status: nullable(Type.String({ description: 'In which it then was.' })),
        amount: nullable(Type.Number()),
        by: Type.Object({
          kind: Type.Enum(['PAYER', 'API', 'PERSON', 'BANK', 'TIME', 'SYSTEM']),
          name: nullable(Type.String({ description: 'Of the secret, the person or the bank.' })),
        }),
        subjectId: Type.String({ description: 'Of the request, attempt, refund, or event.' }),
        endpointId: nullable(uuid()),
        deliveryId: nullable(Type.String()),
      }),
    ),
    isWhole: Type.Boolean({ description: 'False: there is more than is shown.' }),
  }),
});
