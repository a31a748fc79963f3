import Type from 'typebox';
import { env, nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { storeDetails } from '../merchant/payment-status.ts';
import { operation } from '../operation.ts';

const shortText = Type.Optional(nullable(Type.String({ maxLength: limits.emailLength })));
const phoneText = Type.Optional(
  nullable(Type.String({ maxLength: limits.emailLength, integerToo: true })),
);
const noSource = nullable(Type.String());

/** Members that are not described here, or have no source on this server, are null. */
const paymentDetails = Type.Object({
  merchantBusinessName: Type.String(),
  merchantId: uuid(),
  amount: Type.Object({ amount: Type.Number(), currency: Type.String() }),
  taxPercentage: Type.Number(),
  servicePercentage: Type.Number(),
  taxAmount: Type.Number({ description: 'Pounds, included in the amount, as in the status.' }),
  serviceAmount: Type.Number({ description: 'Pounds, included in the amount.' }),
  employeeId: noSource,
  customerId: Type.String({ description: "The merchant's own reference." }),
  consumerId: noSource,
  env: Type.Enum(['SANDBOX', 'PRODUCTION']),
  encryptedNotesDetails: noSource,
  encryptedQrDetails: noSource,
  encryptedPaymentDetails: noSource,
  encryptedRefundPaymentDetails: noSource,
  merchantNotes: noSource,
  notes: noSource,
  storeImg: noSource,
  contextType: noSource,
  callbackParams: Type.String({
    description: 'Always {}: the merchant reads its own in the status.',
  }),
  storeDetails,
  orderId: Type.String(),
  paymentType: Type.String(),
  expiresIn: Type.Number({ description: 'Milliseconds from requestCreatedAt to the expiry.' }),
  requestCreatedAt: timestamp(),
  strictExpiry: Type.Boolean(),
  allowSdkRetry: Type.Boolean(),
  redirectOnCompleted: Type.Boolean(),
  splitBill: Type.Boolean(),
  splitOutstandingAmount: Type.Number(),
  splitEntries: Type.Array(Type.Object({ amount: Type.Number(), status: Type.String() })),
  options: Type.Object({ cardPaymentEnabled: Type.Boolean() }),
  merchantThemeDetails: Type.Unsafe<{ colorCode: string; foregroundColor: string } | null>({
    type: ['object', 'null'],
    properties: { colorCode: { type: 'string' }, foregroundColor: { type: 'string' } },
  }),
  lastPaymentBankDetails: Type.Unsafe<{ institutionId: string } | null>({
    type: ['object', 'null'],
    properties: { institutionId: { type: 'string' } },
  }),
  tipInfo: nullable(
    Type.Object({
      id: Type.String(),
      tipType: Type.Integer({ description: '0: pounds, 1: percent.' }),
      allowCustomTips: Type.Boolean(),
      tipOptions: Type.Array(Type.Object({ value: Type.Number(), mostTipped: Type.Boolean() })),
      status: Type.Boolean(),
    }),
  ),
  paymentMethod: noSource,
  paymentSourceType: Type.Integer(),
  isCashback: Type.Boolean(),
  senderName: noSource,
  senderRequestId: noSource,
});

/**
 * What a page or app shows before a payer chooses a bank. The last used bank is shown only when the
 * typed details are those of the request's own customer.
 */
export const getPaymentDetails = operation({
  id: 'getPaymentDetails',
  route: 'POST /api/payments/get-payment-details',
  access: 'open',
  summary: 'Read what a payer is asked to pay.',
  rules: ['WIRE-14', 'REQUEST-7', 'BANK-11'],
  query: Type.Object({ env }),
  body: Type.Object({
    data: uuid('The paymentRequestId.'),
    customerDetails: Type.Optional(
      nullable(
        Type.Object({ phoneCountryCode: phoneText, phoneNumber: phoneText, email: shortText }),
      ),
    ),
  }),
  reply: paymentDetails,
  failsWith: ['notFound', 'invalidState', 'notEnabled', 'merchantSuspended', 'requestTimeout'],
});

/**
 * Starts the payment and answers where to send the payer. Only the bank, the type, the tip, the
 * share of a split bill (amount) and the device are taken from the body; the rest comes from the
 * request.
 */
export const securePaymentAuth = operation({
  id: 'securePaymentAuth',
  route: 'POST /api/payments/v1/secure-payment-auth',
  access: 'open',
  summary: 'Start a payment from a page or app.',
  rules: ['WIRE-14', 'BANK-11'],
  query: Type.Object({ env }),
  body: Type.Object({
    institutionId: Type.String({ minLength: 1, maxLength: 64 }),
    transactionType: Type.Optional(nullable(Type.String({ maxLength: 50 }))),
    tipAmount: Type.Optional(
      Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] }),
    ),
    amount: Type.Optional(
      nullable(
        Type.Object({ amount: Type.Unsafe<number | string>({ type: ['number', 'string'] }) }),
      ),
    ),
    deviceOrigin: shortText,
    paymentDevice: Type.Optional(nullable(Type.Object({}, { additionalProperties: true }))),
    paymentRequestSource: Type.Object({ paymentRequestId: uuid() }),
  }),
  reply: Type.Object({
    authorisationUrl: Type.String(),
    paymentIdempotencyId: Type.String(),
    userUuid: noSource,
    status: noSource,
    featureScope: Type.Array(Type.String()),
    tracingId: noSource,
    deepLinkAuthorisationUrl: noSource,
    deepLinkAndroidAuthorisationUrl: noSource,
    deepLinkAuthorisationUrlIOS: noSource,
    businessAppDeepLinkAuthorisationUrl: noSource,
    businessAppDeepLinkAndroidAuthorisationUrl: noSource,
    businessAppDeepLinkAuthorisationUrlIOS: noSource,
    appStoreLink: noSource,
    playStoreLink: noSource,
    androidPackageName: noSource,
    iOSPackageName: noSource,
    cardCheckoutId: noSource,
  }),
  failsWith: [
    'notFound',
    'invalidState',
    'notEnabled',
    'merchantSuspended',
    'requestTimeout',
    'railNotConfigured',
    'unavailable',
  ],
});
