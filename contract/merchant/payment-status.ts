import Type from 'typebox';
import { nullable, timestamp, uuid } from '../fields.ts';
import { operation } from '../operation.ts';
import { shownLineItems } from './line-items.ts';

export const storeDetails = Type.Object({
  id: Type.String(),
  address: Type.String(),
  locationName: Type.String(),
});

export const statusDetails = Type.Object({
  status: Type.String(),
  statusUpdateDate: timestamp(),
  isoStatus: Type.Object({ code: Type.String(), name: Type.String() }),
});

export const refundDetails = Type.Object({
  id: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  status: Type.String(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  refundNotes: nullable(Type.String()),
  refundType: Type.Enum(['FULL', 'PARTIAL']),
  refundId: uuid(),
});

export const totalRefundAmount = Type.Number({
  description: 'Pounds of all refunds that neither failed nor were cancelled.',
});

export const cardPaymentDetails = Type.Object({
  cardType: nullable(Type.String({ description: 'The network: VISA, MASTERCARD …' })),
  transactionSubType: Type.String(),
  captureType: nullable(Type.String()),
  metadata: Type.Object({
    isMitPayment: Type.Boolean({ description: 'Charged by the merchant, without the customer.' }),
  }),
  paymentMethodId: nullable(
    Type.String({ description: 'The saved card that was charged, or was saved by this payment.' }),
  ),
  expiresAt: Type.Optional(
    timestamp('Where it is captured later: when the authorisation ends, or ended.'),
  ),
});

/** One payer's payment. Personal members are absent when the caller showed no secret. */
const transactionDetails = Type.Object({
  paymentIdempotencyId: Type.String(),
  consumerId: Type.Optional(nullable(Type.String())),
  consumerName: Type.Optional(nullable(Type.String())),
  institutionId: Type.String(),
  tracingId: nullable(Type.String()),
  statusDetails: nullable(statusDetails),
  paidAmount: Type.Number({ description: 'Pounds, tip included.' }),
  totalRefundAmount,
  currency: Type.String(),
  bankName: nullable(Type.String()),
  bankAccountNo: Type.Optional(nullable(Type.String())),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  taxAmount: Type.Number(),
  serviceAmount: Type.Number(),
  tipAmount: Type.Number(),
  notes: Type.Optional(nullable(Type.String())),
  errorDescription: nullable(Type.String()),
  paymentDevice: nullable(Type.Object({}, { additionalProperties: true })),
  splitBill: Type.Boolean(),
  refundDetails: Type.Array(refundDetails),
  cardPaymentDetails: Type.Optional(cardPaymentDetails),
});

/** STATUS-1, STATUS-4. `message` is present only in PAYMENT_NOT_INITIATED. Amounts are pounds. */
export const paymentStatusReply = Type.Object({
  userUuid: nullable(Type.String()),
  paymentRequestId: uuid(),
  customerId: Type.String({ description: "The merchant's own reference." }),
  merchantId: uuid(),
  merchantName: Type.String(),
  applicationUserId: nullable(Type.String()),
  callback: nullable(Type.String()),
  avatar: nullable(Type.String()),
  orderId: Type.String(),
  signatureHash: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
  redirectUrlParams: Type.Object({}, { additionalProperties: true }),
  redirectUrl: nullable(Type.String()),
  status: Type.Enum([
    'PAYMENT_NOT_INITIATED',
    'AWAITING_AUTHORIZATION',
    'PENDING',
    'COMPLETED',
    'FAILED',
    'EXPIRED',
    'CANCELLED',
    'AUTHORIZED',
  ]),
  message: Type.Optional(Type.String()),
  paidAmount: Type.Number(),
  currency: Type.String(),
  taxAmount: Type.Number(),
  serviceAmount: Type.Number(),
  tipAmount: Type.Number(),
  notes: Type.Optional(nullable(Type.String())),
  lineItems: Type.Optional(shownLineItems),
  payerNote: Type.Optional(nullable(Type.String())),
  storeDetails,
  transactionDetails: Type.Array(transactionDetails),
});

export const getPaymentStatus = operation({
  id: 'getPaymentStatus',
  route: 'GET /api/payments/v1/payment-status/:id',
  access: 'optionalSecret',
  summary: 'Read a payment from start to finish.',
  rules: ['STATUS-1', 'STATUS-2', 'STATUS-3'],
  params: Type.Object({ id: uuid('The paymentRequestId.') }),
  query: Type.Object({
    env: Type.Optional(
      Type.Enum(['sandbox', 'production'], {
        description: "Default: the secret's own environment; without a secret, production.",
      }),
    ),
  }),
  reply: paymentStatusReply,
  failsWith: ['invalidCredential', 'environmentMismatch', 'notFound', 'rateLimited'],
});
