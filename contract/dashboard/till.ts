import Type from 'typebox';
import { day, goesOn, nullable, oneLine, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { getPaymentStatus } from '../merchant/payment-status.ts';
import { requestPaymentReply } from '../merchant/payments.ts';
import { operation } from '../operation.ts';
import { tipFields } from '../sandbox/merchants.ts';

const tillName = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: limits.tillNameLength,
    ...oneLine,
    description,
  });

/** A sale as the till shows it. */
const sale = Type.Object({
  paymentRequestId: uuid(),
  orderId: Type.String(),
  status: getPaymentStatus.reply.properties.status,
  amount: Type.Number({ description: 'Without the tip.' }),
  tipAmount: nullable(
    Type.Number({ description: 'Set at the till, or paid; null while the payer may choose.' }),
  ),
  paidAmount: Type.Number({ description: 'Tip included.' }),
  refundedAmount: Type.Number({ description: 'On its way back, or back.' }),
  notes: nullable(Type.String()),
  why: nullable(Type.String({ description: 'Of a payment that failed.' })),
  canVoid: Type.Boolean({ description: 'Nothing is paid or on its way.' }),
  tillName: Type.String(),
  storeId: uuid(),
  storeName: Type.String(),
  madeBy: nullable(Type.String({ description: 'The name of who sold it.' })),
  createdAt: timestamp("The tenant's time."),
  expiresAt: timestamp(),
  paymentUrl: Type.String(),
  shortUrl: Type.String(),
  qrCodeUrl: Type.String(),
});

export const startTillSale = operation({
  id: 'startTillSale',
  route: 'POST /till/sales',
  access: 'member',
  summary: 'Ask a payer at the till for an amount; what becomes of it emits POS_PAYMENT_STATUS.',
  rules: ['TILL-1'],
  idempotent: true,
  body: Type.Object({
    amount: Type.Number({ description: 'Pounds, at most two decimals, without the tip.' }),
    tipAmount: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'Pounds, 0 for none. Omitted: the payer chooses, where tips are on.',
      }),
    ),
    tillName: tillName('What the merchant calls this till.'),
    storeId: Type.Optional(uuid('Store; the primary store when omitted.')),
    orderId: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.referenceLength, pattern: '\\S' }),
    ),
    notes: Type.Optional(Type.String({ maxLength: limits.notesLength })),
  }),
  reply: requestPaymentReply,
  failsWith: ['merchantSuspended', 'railNotConfigured'],
});

/** The tips of the settings, for who may not read those. Null: they were never set. */
export const getTillTips = operation({
  id: 'getTillTips',
  route: 'GET /till/tips',
  access: 'member',
  summary: 'Read the tips that a till offers.',
  rules: ['TILL-1'],
  reply: Type.Object({ tips: nullable(Type.Object(tipFields)) }),
});

export const getTillSale = operation({
  id: 'getTillSale',
  route: 'GET /till/sales/:paymentRequestId',
  access: 'member',
  summary: 'Show what became of a sale.',
  rules: ['TILL-2'],
  params: Type.Object({ paymentRequestId: uuid() }),
  reply: sale,
});

export const listTillSales = operation({
  id: 'listTillSales',
  route: 'GET /till/sales',
  access: 'member',
  summary: 'List the sales of a till, the newest first.',
  rules: ['TILL-2'],
  query: Type.Object({
    storeId: Type.Optional(uuid()),
    tillName: Type.Optional(tillName('Of this till alone.')),
    ...goesOn('timeAndId'),
  }),
  reply: Type.Object({ data: Type.Array(sale), nextBefore: nullable(Type.String()) }),
});

export const voidTillSale = operation({
  id: 'voidTillSale',
  route: 'POST /till/sales/:paymentRequestId/void',
  access: 'member',
  summary: 'Void a sale before it is paid. One that is paid is refunded.',
  rules: ['TILL-3'],
  params: Type.Object({ paymentRequestId: uuid() }),
  reply: sale,
  failsWith: ['invalidState'],
});

const took = {
  sales: Type.Integer({ description: 'Sales that were paid.' }),
  amount: Type.Number({ description: 'Pounds, without tips.' }),
  tips: Type.Number({ description: 'Pounds.' }),
  refunded: Type.Number({
    description: 'Pounds of these sales that went back or are on their way.',
  }),
  total: Type.Number({ description: 'Pounds: amount and tips, less what was refunded.' }),
};

/** Of the sales that were made in some days: what they took, whenever it was paid or refunded. */
export const getCashUp = operation({
  id: 'getCashUp',
  route: 'GET /till/cash-up',
  access: 'member',
  summary: 'Add up days of the tills: by method, by who sold, by till, by store and by shift.',
  rules: ['TILL-4'],
  query: Type.Object({
    day: Type.Optional(day('of London; today when omitted.')),
    to: Type.Optional(
      day(`the last of several days, ${limits.cashUpDaysMax} at most; day alone when omitted.`),
    ),
    storeId: Type.Optional(uuid('Of this store alone.')),
  }),
  reply: Type.Object({
    day: Type.String({ description: 'YYYY-MM-DD' }),
    to: Type.String({ description: 'YYYY-MM-DD' }),
    ...took,
    unpaid: Type.Integer({ description: 'Sales that nobody paid: void, expired, or still open.' }),
    byMethod: Type.Array(Type.Object({ method: Type.Enum(['PAY_BY_BANK', 'CARD']), ...took })),
    byPerson: Type.Array(
      Type.Object({ name: nullable(Type.String({ description: 'Null: deleted.' })), ...took }),
    ),
    byTill: Type.Array(Type.Object({ tillName: Type.String(), ...took })),
    byStore: Type.Array(Type.Object({ storeName: Type.String(), ...took })),
    shifts: Type.Array(
      Type.Object({
        day: Type.String({ description: 'YYYY-MM-DD' }),
        storeName: Type.String(),
        name: nullable(Type.String({ description: 'Who sold. Null: deleted.' })),
        ...took,
        bankTotal: Type.Number({ description: 'Pounds of the total that were paid by bank.' }),
        cardTotal: Type.Number({ description: 'Pounds of the total that were paid by card.' }),
      }),
      { description: 'What each person sold on a day in a store, the newest day first.' },
    ),
  }),
});
