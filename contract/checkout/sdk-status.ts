import Type from 'typebox';
import { env, nullable, timestamp, uuid } from '../fields.ts';
import {
  paymentStatusReply,
  refundDetails,
  statusDetails,
  storeDetails,
  totalRefundAmount,
} from '../merchant/payment-status.ts';
import { operation } from '../operation.ts';

const idempotencyId = Type.String({ minLength: 1, maxLength: 40, description: 'Of one payment.' });
const text = nullable(Type.String());

/** One payment in one object. The first six members are never null; personal ones are. */
const flatTransaction = Type.Object({
  applicationUserId: Type.String(),
  paidAmount: Type.Number({ description: 'Pounds, tip included.' }),
  currency: Type.String(),
  status: Type.String(),
  createdAt: timestamp(),
  paymentIdempotencyId: Type.String({ description: 'Empty before a payment was started.' }),
  message: Type.Optional(Type.String()),
  paymentRequestId: uuid(),
  paymentId: text,
  updatedAt: text,
  bankName: text,
  bankAccountNo: text,
  notes: text,
  taxAmount: Type.Number(),
  serviceAmount: Type.Number(),
  tipAmount: Type.Number(),
  totalRefundAmount,
  refundDetails: Type.Array(refundDetails),
  qrId: text,
  storeId: text,
  qrNickName: text,
  errorDescription: text,
  paymentSourceType: Type.Integer(),
  paymentLinkId: text,
  employeeId: text,
  pendingTrasactionError: text,
  orderId: Type.String(),
  statusDetails: nullable(statusDetails),
  merchantId: uuid(),
  merchantName: Type.String(),
  avatar: text,
  paymentRequest: Type.Object({
    payee: Type.Object({
      name: Type.String(),
      accountIdentifications: Type.Array(
        Type.Object({ type: Type.String(), identification: Type.String() }),
      ),
    }),
  }),
  storeDetails,
  institutionId: text,
  signature: Type.Optional(Type.String()),
  signatureHash: Type.Optional(Type.String()),
  redirectUrlParams: Type.Object({}, { additionalProperties: Type.String() }),
  redirectUrl: text,
});

/** By the id of a payment, or with type=request by the id of a payment request. */
export const getTransaction = operation({
  id: 'getTransaction',
  route: 'GET /api/payments/payment-status/:id',
  access: 'open',
  summary: 'Poll a payment from an app or shop.',
  rules: ['STATUS-5', 'WIRE-14'],
  params: Type.Object({ id: idempotencyId }),
  query: Type.Object({ env, type: Type.Optional(Type.Enum(['request', 'payment'])) }),
  reply: flatTransaction,
  failsWith: ['notFound', 'rateLimited'],
});

/** The same under the second version of the path. */
export const getTransactionV2 = operation({
  id: 'getTransactionV2',
  route: 'GET /api/payments/v2/payment/:paymentIdempotencyId/status',
  access: 'open',
  summary: 'Poll a payment from an app.',
  rules: ['STATUS-5', 'WIRE-14'],
  params: Type.Object({ paymentIdempotencyId: idempotencyId }),
  query: Type.Object({ env }),
  reply: flatTransaction,
  failsWith: ['notFound', 'rateLimited'],
});

/** The same for a merchant's web page, across origins that a secret lists. */
export const getSdkTransaction = operation({
  id: 'getSdkTransaction',
  route: 'GET /api/sdk-payment/status/:paymentIdempotencyId',
  access: 'open',
  summary: 'Poll a payment from a web page of a merchant.',
  rules: ['STATUS-5', 'WIRE-14'],
  params: Type.Object({ paymentIdempotencyId: idempotencyId }),
  query: Type.Object({ env }),
  reply: flatTransaction,
  failsWith: ['notFound', 'rateLimited'],
});

/** The status object without personal members, across origins that a secret lists. */
export const getSdkPaymentStatus = operation({
  id: 'getSdkPaymentStatus',
  route: 'GET /api/sdk-payment/payment-request/status/:paymentRequestId',
  access: 'open',
  summary: 'Poll a payment request from a web page of a merchant.',
  rules: ['STATUS-5', 'WIRE-14'],
  params: Type.Object({ paymentRequestId: uuid() }),
  query: Type.Object({ env }),
  reply: paymentStatusReply,
  failsWith: ['notFound', 'rateLimited'],
});
