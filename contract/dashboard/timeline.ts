import Type from 'typebox';
import { day, nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { refundStatuses } from '../merchant/refunds.ts';
import { operation } from '../operation.ts';

/** Everything that is known of a payment request, in order: states, money, refunds, events and deliveries. */
export const getPaymentTimeline = operation({
  id: 'getPaymentTimeline',
  method: 'GET',
  path: '/payments/:paymentRequestId/timeline',
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
    notes: nullable(Type.String()),
    storeName: nullable(Type.String()),
    createdAt: timestamp(),
    expiresAt: timestamp(),
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
  failsWith: ['badRequest', 'notFound'],
});

/** The newest first, of all payments. */
export const listMerchantRefunds = operation({
  id: 'listMerchantRefunds',
  method: 'GET',
  path: '/refunds',
  access: 'member',
  summary: 'List the refunds of the merchant.',
  rules: ['REFUND-2', 'DASHBOARD-43'],
  query: Type.Object({
    status: Type.Optional(Type.Enum([...refundStatuses])),
    from: Type.Optional(day('requested on it or later.')),
    to: Type.Optional(day('requested on it or earlier.')),
    before: Type.Optional(
      Type.String({
        pattern: '^\\d{13,16}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        maxLength: 60,
        errorMessage: 'must be the nextBefore of a page',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: limits.pageSizeMax, default: 20 }),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        refundId: uuid(),
        paymentRequestId: uuid(),
        paymentIdempotencyId: Type.String(),
        orderId: Type.String(),
        amount: Type.Number(),
        status: Type.Enum([...refundStatuses]),
        waitsFor: nullable(Type.String({ description: 'BALANCE or REFUND_ACCOUNT_NEEDED.' })),
        why: nullable(Type.String({ description: 'Why it waits or failed.' })),
        method: Type.Enum(['PAY_BY_BANK', 'CARD']),
        notes: nullable(Type.String()),
        createdAt: timestamp(),
        updatedAt: timestamp(),
      }),
    ),
    nextBefore: nullable(Type.String()),
  }),
  failsWith: ['badRequest'],
});
