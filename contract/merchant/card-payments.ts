import Type from 'typebox';
import { timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const captureTypes = ['AUTO_CAPTURE', 'MANUAL_CAPTURE', 'CAPTURE_BEFORE_EXPIRY'] as const;
const captureType = (description: string) => Type.Enum(captureTypes, { description });

/** CARD-3. `capture` is another name of `captureType`: one of them is needed. */
const chargeCardBody = Type.Object(
  {
    customerId: uuid('The customer, as POST /api/customers named it.'),
    paymentMethodId: Type.String({
      minLength: 1,
      maxLength: limits.paymentMethodIdLength,
      description: 'A saved card of the customer.',
    }),
    captureType: Type.Optional(
      captureType(
        'AUTO_CAPTURE takes the money at once; MANUAL_CAPTURE holds it until you capture; ' +
          'CAPTURE_BEFORE_EXPIRY captures by itself before the authorisation ends.',
      ),
    ),
    capture: Type.Optional(captureType('The same as captureType.')),
    amount: Type.Number({
      minimum: limits.paymentAmountPenceMin / 100,
      description: 'Pounds, at most two decimals, from 1.00 to the limit of the merchant.',
    }),
    currency: Type.Optional(Type.Enum(['GBP'])),
    orderId: Type.String({
      minLength: 1,
      maxLength: limits.referenceLength,
      pattern: '\\S',
      errorMessage: 'must not be blank',
      integerToo: true,
      description: 'Reference of the order; 1-50 characters.',
    }),
    notes: Type.Optional(Type.String({ maxLength: limits.notesLength })),
    storeId: Type.Optional(uuid('Store; the primary store when omitted.')),
  },
  { published: { anyOf: [{ required: ['captureType'] }, { required: ['capture'] }] } },
);

/** CARD-3. The outcome follows by PAYMENTS_STATUS, and in the payment status. */
const chargeCardReply = Type.Object({
  paymentRequestId: uuid(),
  status: Type.Enum(['PENDING']),
  amount: Type.Number({ description: 'Pounds.' }),
  currency: Type.String(),
  orderId: Type.String(),
  customerId: uuid(),
  paymentMethodId: Type.String(),
  captureType: Type.Enum(captureTypes),
  createdAt: timestamp(),
  expiresAt: Type.Optional(
    timestamp(
      'Not for AUTO_CAPTURE. When the authorisation is expected to end; the payment status has what ' +
        'the card network says of it.',
    ),
  ),
});

export const chargeCard = operation({
  id: 'chargeCard',
  route: 'POST /api/payments/card/process-payment',
  access: 'secret',
  summary: 'Charge a saved card without the customer.',
  rules: ['CARD-3', 'CARD-4', 'CARD-14'],
  idempotent: true,
  body: chargeCardBody,
  reply: chargeCardReply,
  failsWith: [
    'environmentMismatch',
    'notEnabled',
    'merchantSuspended',
    'notFound',
    'conflict',
    'possibleDuplicate',
    'idempotencyKeyReused',
    'railNotConfigured',
  ],
});

const done = Type.Object({ success: Type.Boolean(), message: Type.String() });

export const captureCardPayment = operation({
  id: 'captureCardPayment',
  route: 'POST /api/payments/card/payment-request/:paymentRequestId/capture',
  access: 'secret',
  summary: 'Take the whole amount of an authorised card payment.',
  rules: ['CARD-6', 'CARD-8'],
  idempotent: true,
  params: Type.Object({ paymentRequestId: uuid() }),
  reply: done,
  failsWith: [
    'environmentMismatch',
    'notFound',
    'invalidState',
    'railNotConfigured',
    'unavailable',
  ],
});

export const cancelCardPayment = operation({
  id: 'cancelCardPayment',
  route: 'POST /api/payments/card/payment-request/:paymentRequestId/cancel',
  access: 'secret',
  summary: 'Release an authorised card payment.',
  rules: ['CARD-7', 'CARD-8'],
  idempotent: true,
  params: Type.Object({ paymentRequestId: uuid() }),
  body: Type.Object({
    cancelledReasonCode: Type.Optional(
      Type.Enum(['Duplicate', 'Abandoned', 'Requested by customer', 'Other']),
    ),
    cancelledReasonDescription: Type.Optional(
      Type.String({
        maxLength: limits.cancelledReasonLength,
        description: 'Needed where the code is Other.',
      }),
    ),
  }),
  bodyOptional: true,
  reply: done,
  failsWith: [
    'environmentMismatch',
    'notFound',
    'invalidState',
    'railNotConfigured',
    'unavailable',
  ],
});
