import Type from 'typebox';
import type { EventType } from './events.ts';
import { nullable, timestamp, uuid } from './fields.ts';
import { statusDetails, storeDetails } from './merchant/payment-status.ts';

const amountText = (description: string) => Type.String({ description });

const signed = {
  eventType: Type.Optional(Type.String({ description: 'With a signing secret only.' })),
  signatureHash: Type.Optional(
    nullable(Type.String({ description: 'Without a signing secret only: the v1 signature.' })),
  ),
};

const payment = {
  merchantId: uuid(),
  customerId: Type.String({ description: "The merchant's own reference." }),
  consumerId: Type.String(),
  merchantName: Type.String(),
  paymentIdempotencyId: Type.String({ description: 'The attempt that this is about.' }),
  statusDetails: nullable(statusDetails),
  currency: Type.Enum(['GBP']),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  taxAmount: Type.Number(),
  serviceAmount: Type.Number(),
  transactionType: Type.Enum(['OPEN_BANKING', 'CARD']),
  orderId: Type.String(),
  paymentRequestId: uuid(),
  errorDescription: Type.String({ description: 'Empty without an error.' }),
  redirectUrlParams: Type.String({ description: 'callbackParams as JSON text.' }),
  splitBill: Type.Boolean(),
  notes: Type.String(),
};

/**
 * EVENT-3: the body of every event type, as `webhooks` of the published document describes it. Text that
 * is not known is empty, never null.
 */
export const eventBodies = {
  PAYMENTS_STATUS: Type.Object({
    ...payment,
    status: Type.Enum(['PENDING', 'COMPLETED', 'AUTHORIZED', 'FAILED', 'CANCELLED']),
    statusDetails,
    paidAmount: amountText('Pounds as text, tip included: "12.5".'),
    tipAmount: amountText('Pounds as text.'),
    storeDetails,
    redirectUrl: Type.String(),
    splitOutstandingAmount: Type.Optional(amountText('Of a split bill: pounds left to pay.')),
    signature: Type.Optional(nullable(Type.String())),
    ...signed,
  }),
  EXPIRED_STATUS: Type.Object({
    merchantId: uuid(),
    customerId: Type.String(),
    status: Type.Enum(['EXPIRED']),
    paidAmount: Type.Number({ description: 'Pounds that were requested.' }),
    currency: Type.Enum(['GBP']),
    storeDetails,
    orderId: Type.String(),
    paymentRequestId: uuid(),
    redirectUrl: Type.String(),
    redirectUrlParams: Type.String({ description: 'callbackParams as JSON text.' }),
    ...signed,
  }),
  REFUND_STATUS: Type.Object({
    refundId: uuid(),
    paymentRequestId: uuid(),
    paymentIdempotencyId: Type.String(),
    status: Type.Enum(['COMPLETED', 'FAILED', 'CANCELLED']),
    paidAmount: Type.Number({ description: 'Pounds.' }),
    refundAmount: Type.Number({ description: 'Pounds.' }),
    currency: Type.Enum(['GBP']),
    refundNotes: Type.String(),
    orderId: Type.String(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    ...signed,
  }),
  POS_PAYMENT_STATUS: Type.Object({
    ...payment,
    paymentIdempotencyId: Type.String({
      description: 'The attempt; empty where a sale expired without one.',
    }),
    transactionType: Type.String({ description: 'OPEN_BANKING, CARD, or empty likewise.' }),
    status: Type.Enum(['COMPLETED', 'FAILED', 'EXPIRED']),
    paidAmount: Type.Number({ description: 'Pounds.' }),
    tipAmount: Type.Optional(Type.Number({ description: 'Of a payment.' })),
    refundId: Type.Optional(uuid('Of a void.')),
    refundAmount: Type.Optional(Type.Number({ description: 'Of a void: pounds.' })),
    storeDetails: Type.Optional(storeDetails),
    customFields: Type.Array(
      Type.Object({ fieldName: Type.String(), value: Type.String(), filledBy: Type.String() }),
    ),
    ...signed,
  }),
} as const satisfies Record<EventType, object>;
