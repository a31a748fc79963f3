import Type from 'typebox';
import { uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { unusualAmount, unusualLife } from '../unusual.ts';
import { lineItems, payerNote } from './line-items.ts';
import { paymentStatusReply } from './payment-status.ts';

const shortReference = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: limits.referenceLength,
    pattern: '\\S',
    errorMessage: 'must not be blank',
    integerToo: true,
    description,
  });

/** Optional in every member; existing clients send empty text for unknown values. */
const consumerDetails = Type.Object(
  {
    phoneCountryCode: Type.Optional(
      Type.String({ integerToo: true, description: 'Such as 44 or +44.' }),
    ),
    phoneNumber: Type.Optional(
      Type.String({
        integerToo: true,
        description: 'Spaces, brackets, dashes and a country code are allowed.',
      }),
    ),
    email: Type.Optional(Type.String({ maxLength: limits.emailLength })),
    firstName: Type.Optional(Type.String({ maxLength: limits.addressLength })),
    lastName: Type.Optional(Type.String({ maxLength: limits.addressLength })),
  },
  { description: "What is known of the payer; used to preselect the payer's bank." },
);

/** REQUEST-3, for readers of the published schema. */
const savingNeeds = {
  if: { required: ['savePaymentMethod'], properties: { savePaymentMethod: { const: true } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: {
    required: ['paymentMethod'],
    anyOf: ['atoaCustomerId', 'serviceCustomerId'].map((name) => ({
      required: [name],
      properties: { [name]: {} },
    })),
    properties: {
      paymentMethod: { contains: { const: 'CARD' } },
      splitBill: { enum: [false, null] },
    },
  },
};

/** REQUEST-1, with the aliases of WIRE-1. Amounts are pounds. */
export const requestPaymentBody = Type.Object(
  {
    customerId: shortReference("The merchant's own reference for the customer; 1-50 characters."),
    orderId: shortReference('Reference of the order, used to verify signatures; 1-50 characters.'),
    amount: Type.Unsafe<number | string>({
      type: ['number', 'string'],
      unusual: unusualAmount,
      published: {
        minimum: limits.paymentAmountPenceMin / 100,
        maxLength: limits.numericTextLength,
        pattern: '^\\d+(\\.\\d+)?$',
      },
      description: 'Pounds, at most two decimals, from 1.00 to the limit of the merchant.',
    }),
    storeId: Type.Optional(uuid('Store; the primary store when omitted.')),
    paymentMethod: Type.Optional(
      Type.Array(Type.Enum(['PAY_BY_BANK', 'CARD']), {
        minItems: 1,
        uniqueItems: true,
        description: 'Methods offered; all that are enabled when omitted.',
      }),
    ),
    savePaymentMethod: Type.Optional(
      Type.Boolean({ description: 'Save the card; default false.' }),
    ),
    atoaCustomerId: Type.Optional(
      uuid('The customer of the service whom this payment belongs to.'),
    ),
    serviceCustomerId: Type.Optional(uuid('The same as atoaCustomerId.')),
    autoRedirect: Type.Optional(
      Type.Boolean({ description: 'With institutionId: the page goes on to the bank by itself.' }),
    ),
    institutionId: Type.Optional(
      Type.String({ maxLength: 64, emptyMeansAbsent: true, description: 'A bank. Empty: none.' }),
    ),
    consumerDetails: Type.Optional(consumerDetails),
    callbackParams: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        maxProperties: limits.callbackParams,
        description: 'Appended to the redirect address as query parameters.',
      }),
    ),
    expiresIn: Type.Optional(
      Type.Unsafe<number | string>({
        type: ['number', 'string'],
        unusual: unusualLife,
        published: {
          minimum: limits.expiresInMsMin,
          maximum: limits.expiresInMsMax,
          maxLength: limits.numericTextLength,
          pattern: '^\\d+$',
        },
        description:
          'Milliseconds until the request expires; default 180000, or what the merchant has set.',
      }),
    ),
    strictExpiry: Type.Optional(
      Type.Boolean({
        description: 'Expiry also ends a payment that waits at the bank; default false.',
      }),
    ),
    notes: Type.Optional(Type.String({ maxLength: limits.notesLength })),
    lineItems: Type.Optional(lineItems),
    payerNote: Type.Optional(payerNote),
    enableTips: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    allowRetry: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    redirectUrl: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.urlLength,
        emptyMeansAbsent: true,
        description:
          'https, http in the sandbox, or an app scheme in reverse-domain form. The way back carries ' +
          'status and florinSignature; read the payment status anyway (REQUEST-12).',
      }),
    ),
    splitBill: Type.Optional(Type.Boolean({ description: 'Default false.' })),
    template: Type.Optional(
      Type.Enum(['EXTERNAL_DISPLAY', 'EXTERNAL_DISPLAY_PNG', 'RECEIPT', 'RECEIPT_PNG']),
    ),
    currency: Type.Optional(Type.Enum(['GBP'])),
    paymentType: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  },
  { published: savingNeeds },
);

/** REQUEST-2. The addresses never expire; only the request does. */
export const requestPaymentReply = Type.Object({
  qrCodeUrl: Type.String({ description: 'QR code of paymentUrl, SVG.' }),
  qrCodeUrlPng: Type.String({ description: 'QR code of paymentUrl, PNG with no background.' }),
  templateUrl: Type.Optional(
    Type.String({ description: 'Image of the template, if one was asked.' }),
  ),
  paymentUrl: Type.String({ description: 'The page on which the customer pays.' }),
  shortUrl: Type.String({ description: 'The same page at a short address, for paper.' }),
  paymentRequestId: uuid(),
});

export const requestPayment = operation({
  id: 'requestPayment',
  route: 'POST /api/payments/process-payment',
  access: 'secret',
  summary: 'Create a payment request that a customer completes on the hosted page.',
  rules: ['REQUEST-1'],
  idempotent: true,
  body: requestPaymentBody,
  reply: requestPaymentReply,
  failsWith: ['notEnabled', 'merchantSuspended', 'railNotConfigured', 'idempotencyKeyReused'],
});

export const cancelPaymentRequest = operation({
  id: 'cancelPaymentRequest',
  route: 'POST /api/payment-request/cancel/:paymentRequestId',
  access: 'secret',
  summary: 'Cancel a payment request that is not paid.',
  rules: ['REQUEST-9'],
  idempotent: true,
  params: Type.Object({ paymentRequestId: uuid() }),
  reply: Type.Object({
    success: Type.Boolean(),
    paymentRequestId: uuid(),
    status: Type.Enum(['CANCELLED']),
  }),
  failsWith: ['environmentMismatch', 'notFound', 'invalidState', 'idempotencyKeyReused'],
});

const payBody = Type.Object({
  method: Type.Optional(
    Type.Enum(['PAY_BY_BANK', 'CARD'], { description: 'Default PAY_BY_BANK.' }),
  ),
  cardNumber: Type.Optional(
    Type.String({
      pattern: '^\\d(?: ?\\d){11,18}$',
      errorMessage: 'must be a test card number',
      description: 'CARD: a test number of the simulated processor; it is stored nowhere.',
    }),
  ),
  paymentMethodId: Type.Optional(uuid('CARD: a saved card of the customer, paid by one click.')),
  challenge: Type.Optional(
    Type.Enum(['APPROVE', 'DECLINE', 'ABANDON'], {
      description: "CARD: what the payer does when the card's bank asks; default APPROVE.",
    }),
  ),
  institutionId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Default mock-sandbox-v1.' }),
  ),
  outcome: Type.Optional(
    Type.Enum(['COMPLETED', 'FAILED', 'CANCELLED', 'PENDING'], {
      description: 'How the simulated bank answers; default COMPLETED.',
    }),
  ),
  tipAmount: Type.Optional(Type.Number({ minimum: 0, description: 'Pounds.' })),
  amount: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, description: 'Pounds: the share paid of a split bill.' }),
  ),
});

/** Pays a request as a customer would: consent, bank login, approval and return, on the server. */
export const payInSandbox = operation({
  id: 'payInSandbox',
  route: 'POST /api/sandbox/payment-requests/:paymentRequestId/pay',
  access: 'sandboxSecret',
  summary: 'Pay a sandbox request through the real flow, without a browser.',
  rules: ['ACCESS-11'],
  idempotent: true,
  params: Type.Object({ paymentRequestId: uuid() }),
  body: payBody,
  bodyOptional: true,
  cardNumberIn: 'cardNumber',
  reply: paymentStatusReply,
  failsWith: [
    'environmentMismatch',
    'notFound',
    'invalidState',
    'notEnabled',
    'merchantSuspended',
    'railNotConfigured',
    'unavailable',
  ],
});
