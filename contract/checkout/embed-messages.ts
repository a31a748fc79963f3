import Type, { type Static } from 'typebox';
import { nullable } from '../fields.ts';

/**
 * What the hosted page tells the app, or later the web page, that shows it (PAGE-12). A message is JSON
 * text. A reader ignores types and members that it does not know, so additions keep the version.
 */
export const embedProtocol = 1;

/** Of a payment as apps read it; others may come. */
export const transactionStatuses = [
  'PAYMENT_NOT_INITIATED',
  'AWAITING_AUTHORIZATION',
  'PENDING',
  'AUTHORIZED',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
  'REFUNDED',
] as const;

const envelope = {
  florin: Type.Integer({ description: 'The version of the protocol.' }),
  nonce: Type.String({ description: 'What the app put behind the # of the first address.' }),
};
const paymentIdempotencyId = nullable(
  Type.String({ description: 'Of the payment that the page is about; null before one.' }),
);

const embedReady = Type.Object({
  ...envelope,
  type: Type.Enum(['ready']),
  page: Type.String({ description: 'Which page is shown, such as CHOOSE_BANK.' }),
});

/** The page shows another status: the app reads what is true. */
const embedStatus = Type.Object({
  ...envelope,
  type: Type.Enum(['status']),
  status: Type.String(),
  paymentIdempotencyId,
});

/** The bank or the card processor: never opened in the page itself. */
const embedOpenExternal = Type.Object({
  ...envelope,
  type: Type.Enum(['openExternal']),
  url: Type.String(),
});

/** Nothing more can be done on the page. */
const embedDone = Type.Object({
  ...envelope,
  type: Type.Enum(['done']),
  status: Type.String(),
  paymentIdempotencyId,
});

const embedError = Type.Object({
  ...envelope,
  type: Type.Enum(['error']),
  code: Type.String({ description: 'The page of the error, such as NOT_FOUND.' }),
  message: Type.String({ description: 'For the developer: its heading.' }),
});

export const embedMessages = {
  ready: embedReady,
  status: embedStatus,
  openExternal: embedOpenExternal,
  done: embedDone,
  error: embedError,
} as const;

type Messages = { [Name in keyof typeof embedMessages]: Static<(typeof embedMessages)[Name]> };
export type EmbedMessage = Messages[keyof Messages];
