import Type from 'typebox';
import { day, goesOn, nullable, sortedAndTotalled, timestamp, totalled, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

export const linkStatuses = ['OPEN', 'PAID', 'EXPIRED', 'CANCELLED'] as const;

/** The payment requests that members made in the dashboard. */
export const listPaymentLinks = operation({
  id: 'listPaymentLinks',
  route: 'GET /links',
  access: 'member',
  summary: 'List the payment links that members made.',
  rules: ['LINK-1'],
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        maxLength: limits.searchLength,
        description: 'Part of the order, of your customer id or of the notes; or the amount.',
      }),
    ),
    status: Type.Optional(
      Type.Enum([...linkStatuses], { description: 'Of the request; totals are by it.' }),
    ),
    from: Type.Optional(day('made on it or later.')),
    to: Type.Optional(day('made on it or earlier.')),
    storeId: Type.Optional(uuid()),
    ...sortedAndTotalled,
    ...goesOn('keyAndId'),
  }),
  reply: totalled({
    paymentRequestId: uuid(),
    orderId: Type.String(),
    status: Type.String({ description: 'As getPaymentStatus says it.' }),
    amount: Type.Number(),
    paidAmount: Type.Number({ description: 'Tips included.' }),
    notes: nullable(Type.String()),
    storeName: Type.String(),
    shortUrl: Type.String({ description: 'What payers are given.' }),
    madeBy: nullable(Type.String({ description: 'The name of who made it.' })),
    createdAt: timestamp("The tenant's time."),
    expiresAt: timestamp(),
  }),
});

export const getPaymentLink = operation({
  id: 'getPaymentLink',
  route: 'GET /links/:paymentRequestId',
  access: 'member',
  summary: 'Show the addresses of a payment request, for its page, its code and a mail.',
  rules: ['LINK-1'],
  params: Type.Object({ paymentRequestId: uuid() }),
  reply: Type.Object({
    paymentRequestId: uuid(),
    orderId: Type.String(),
    amount: Type.Number(),
    notes: nullable(Type.String()),
    madeBy: nullable(Type.String()),
    email: nullable(Type.String({ description: 'Of the payer, if the request names it.' })),
    paymentUrl: Type.String(),
    shortUrl: Type.String(),
    qrCodeUrl: Type.String(),
  }),
});

const mailed = Type.Object({
  mailedTo: Type.String(),
  isCaught: Type.Boolean({
    description: 'Sandbox: it is shown to your developer and sent to nobody.',
  }),
});

export const mailPaymentLink = operation({
  id: 'mailPaymentLink',
  route: 'POST /payments/:paymentRequestId/mail',
  access: 'member',
  summary: 'Mail the link of an open payment request to a payer.',
  rules: ['LINK-2'],
  idempotent: true,
  params: Type.Object({ paymentRequestId: uuid() }),
  body: Type.Object({
    email: Type.String({ minLength: 3, maxLength: limits.emailLength }),
    note: Type.Optional(Type.String({ maxLength: limits.mailNoteLength })),
  }),
  reply: mailed,
  failsWith: ['invalidState', 'notEnabled', 'merchantSuspended'],
});

export const mailReceipt = operation({
  id: 'mailReceipt',
  route: 'POST /payments/:paymentRequestId/receipt-mail',
  access: 'member',
  summary: 'Mail the receipt of a payment, or of a refund of it, to an address.',
  rules: ['REQUEST-15'],
  idempotent: true,
  params: Type.Object({ paymentRequestId: uuid() }),
  body: Type.Object({
    email: Type.String({ minLength: 3, maxLength: limits.emailLength }),
    paymentIdempotencyId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.referenceLength,
        description:
          'Of a bill that several pay: whose receipt. The last one that was paid when omitted.',
      }),
    ),
    refundId: Type.Optional(uuid('The receipt of this refund, in place of the payment’s.')),
  }),
  reply: mailed,
  failsWith: ['invalidState', 'notEnabled'],
});
