import Type from 'typebox';
import { nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

export const refundStatuses = ['INITIATED', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

/** REFUND-1. Amounts are pounds as text with two decimals. */
const refund = {
  refundId: uuid('Cancels the refund while it is not handed over.'),
  paymentRequestId: uuid(),
  paymentIdempotencyId: Type.String({ description: 'The payment that is refunded.' }),
  status: Type.Enum(refundStatuses),
  paidAmount: Type.String({ description: 'What was paid, tip included.' }),
  refundAmount: Type.String(),
  currency: Type.String(),
  refundNotes: nullable(Type.String()),
  orderId: Type.String(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};

export const requestRefund = operation({
  id: 'requestRefund',
  route: 'POST /api/refund',
  access: 'secret',
  summary: 'Refund a completed payment, fully or in part.',
  rules: ['REFUND-1', 'REFUND-3', 'REFUND-6', 'REFUND-7'],
  idempotent: true,
  body: Type.Object({
    paymentRequestId: uuid('A completed payment.'),
    amount: Type.Number({
      minimum: limits.refundAmountPenceMin / 100,
      description: 'Pounds, at most two decimals, from 1.00 to what was paid.',
    }),
    currency: Type.Optional(Type.Enum(['GBP'])),
    refundNotes: Type.Optional(
      Type.String({
        maxLength: limits.refundNotesLength,
        description: 'For you. In the sandbox the text FAILURE TEST simulates a failed refund.',
      }),
    ),
    paymentIdempotencyId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.referenceLength,
        description: 'Which payment of a split bill; needed where several were completed.',
      }),
    ),
  }),
  reply: Type.Object(refund),
  failsWith: ['environmentMismatch', 'notEnabled', 'notFound', 'invalidState', 'railNotConfigured'],
});

export const listRefunds = operation({
  id: 'listRefunds',
  route: 'GET /api/refund/:paymentRequestId',
  access: 'secret',
  summary: 'All refunds of a payment, oldest first.',
  rules: ['REFUND-2', 'REFUND-4'],
  params: Type.Object({ paymentRequestId: uuid() }),
  reply: Type.Array(
    Type.Object({
      ...refund,
      refundType: Type.Enum(['FULL', 'PARTIAL']),
      statusReason: nullable(
        Type.String({ description: 'What it waits for, or why it failed; null otherwise.' }),
      ),
      bankReference: nullable(
        Type.String({
          description:
            'By which the bank of the payer finds it, from its hand-over on; null for a card.',
        }),
      ),
    }),
  ),
  failsWith: ['environmentMismatch', 'notFound'],
});

export const cancelRefund = operation({
  id: 'cancelRefund',
  route: 'DELETE /api/refund/:refundId/cancel',
  access: 'secret',
  summary: 'Cancel a refund that is not handed over.',
  rules: ['REFUND-5'],
  idempotent: true,
  params: Type.Object({ refundId: uuid() }),
  reply: Type.Object({
    status: Type.Number(),
    message: Type.String(),
    refundId: uuid(),
  }),
  failsWith: ['environmentMismatch', 'notFound', 'invalidState'],
});
