import Type from 'typebox';
import { continued, day, goesOn, nullable, timestamp, uuid } from '../fields.ts';
import { operation } from '../operation.ts';

export const moneyFigures = [
  'SOLD',
  'REVERSED',
  'REFUNDED',
  'FEES',
  'PAID_OUT',
  'DUE_FROM_BANK',
  'PAYABLE',
  'IN_PAYOUT',
  'IN_REFUNDS',
  'HELD_ON_CARDS',
  'WAITING',
  'PAID_DIRECTLY',
  'HELD_FOR_CASES',
] as const;

const pounds = (description: string) => Type.Number({ description: `Pounds: ${description}` });

const figure = (description: string) =>
  Type.Object({
    amount: pounds(description),
    count: Type.Integer({
      description:
        'Payments, refunds, fees or transfers of payouts in it; what came back in these days is none.',
    }),
  });

const periodFigures = {
  sold: figure('completed payments, tips included.'),
  reversed: figure('reversed by banks, and disputes that were not won.'),
  refunded: figure('refunds on their way or done, less those that came back.'),
  fees: figure('fees of the operator.'),
  paidOut: figure('what payouts brought to your accounts.'),
};

const daily = (description: string) => pounds(description);

export const periodQuery = {
  from: Type.Optional(day('the first day; left out: 29 days before the last.')),
  to: Type.Optional(day('the last day, itself included; left out: today.')),
};

/** Added up from the ledger by London day, so each figure is the sum of the rows it lists. */
export const getMoney = operation({
  id: 'getMoney',
  route: 'GET /money',
  access: 'member',
  summary: 'Show what was sold, refunded, charged and paid out, and what is on its way.',
  rules: ['DASHBOARD-41'],
  query: Type.Object(periodQuery),
  reply: Type.Object({
    from: Type.String(),
    to: Type.String(),
    currency: Type.String(),
    ...periodFigures,
    today: Type.Object(
      { day: Type.String(), ...periodFigures },
      { description: "The tenant's own today, whichever days are chosen." },
    ),
    before: Type.Object(
      { from: Type.String(), to: Type.String(), ...periodFigures },
      { description: 'As many days right before these.' },
    ),
    balance: Type.Object(
      {
        sold: pounds('sold since the beginning.'),
        refunded: pounds('refunded.'),
        fees: pounds('fees.'),
        reversed: pounds('reversed by banks, and disputes that were not won.'),
        paidOut: pounds('what payouts brought to your accounts.'),
        inPayout: pounds('handed to the bank for you.'),
        waiting: pounds('paid, not yet in a payout.'),
        paidDirectly: pounds('came to you without the operator: cards, and with payouts off.'),
        heldForCases: pounds('held until an operator has decided.'),
      },
      {
        description:
          'Of all days. Sold, less refunded, fees and reversed, is the sum of the other five.',
      },
    ),
    onTheWay: Type.Object({
      dueFromBank: pounds('reported paid and not seen to have arrived yet.'),
      payable: pounds('waits for the next payout.'),
      inPayout: pounds('handed to the bank for you.'),
      inRefunds: pounds('handed to the bank for customers.'),
      heldOnCards: pounds('authorised by cards and not captured.'),
    }),
    days: Type.Array(
      Type.Object({
        day: Type.String(),
        sold: daily('sold.'),
        reversed: daily('reversed.'),
        refunded: daily('refunded.'),
        fees: daily('fees.'),
        paidOut: daily('paid out.'),
      }),
      { description: 'Every day from the first to the last.' },
    ),
  }),
});

const statementAmounts = {
  sold: pounds('sold, tips included.'),
  refunded: pounds('refunded, less what came back.'),
  reversed: pounds('reversed by banks, and disputes that were not won.'),
  fees: pounds('fees of the operator.'),
  net: pounds('sold, less the other three.'),
  tax: pounds('VAT within what was sold.'),
};

/** What was sold and what went off, by day, by store and by method. */
export const getStatement = operation({
  id: 'getStatement',
  route: 'GET /money/statement',
  access: 'member',
  summary: 'Show a statement of chosen days, of the business or of one store.',
  rules: ['DASHBOARD-41'],
  query: Type.Object({
    ...periodQuery,
    storeId: Type.Optional(uuid('Totals and days of this store alone.')),
    carried: Type.Optional(
      Type.Boolean({ description: 'Also what was brought forward, paid out and carried forward.' }),
    ),
  }),
  reply: Type.Object({
    from: Type.String(),
    to: Type.String(),
    currency: Type.String(),
    ...statementAmounts,
    tips: pounds('tips within what was sold.'),
    service: pounds('service charge within what was sold.'),
    carried: Type.Optional(
      Type.Object(
        {
          opening: pounds('not paid out yet when the days began.'),
          paidDirectly: pounds('came to you in these days without the operator.'),
          paidOut: pounds('what payouts brought to your accounts in these days.'),
          closing: pounds('not paid out yet when the days ended.'),
        },
        {
          description:
            'Of the business, whichever store is chosen: opening and net, less the next two, is closing.',
        },
      ),
    ),
    days: Type.Array(Type.Object({ day: Type.String(), ...statementAmounts }), {
      description: 'Days on which something moved.',
    }),
    stores: Type.Array(
      Type.Object({
        storeId: nullable(uuid()),
        storeName: nullable(Type.String()),
        ...statementAmounts,
      }),
      { description: 'Every store with something in these days, whichever is chosen.' },
    ),
    methods: Type.Array(
      Type.Object({ method: Type.Enum(['PAY_BY_BANK', 'CARD', 'NONE']), ...statementAmounts }),
      { description: 'By what was paid with first, the largest first.' },
    ),
  }),
});

/**
 * The newest first. Entries of a figure add up to it over the same days; those of all four, with what went
 * off negative, to what is left.
 */
export const listMoneyRows = operation({
  id: 'listMoneyRows',
  route: 'GET /money/rows',
  access: 'member',
  summary: 'List the ledger entries behind a figure, or behind what was sold and went off.',
  rules: ['DASHBOARD-41'],
  query: Type.Object({
    figure: Type.Optional(
      Type.Enum([...moneyFigures], {
        description: 'Left out: SOLD, and REFUNDED, REVERSED and FEES, which are negative then.',
      }),
    ),
    storeId: Type.Optional(uuid('Of this store alone.')),
    from: Type.Optional(day('the first day; left out: from the beginning.')),
    to: Type.Optional(day('the last day, itself included; left out: today.')),
    ...goesOn('transactionAndEntry'),
  }),
  reply: continued({
    figure: Type.String(),
    reason: Type.String({ description: 'As in LEDGER-2.' }),
    amount: pounds('added to the figure; negative where it was taken off.'),
    occurredAt: timestamp(),
    resource: Type.Enum(['PAYMENT', 'REFUND', 'PAYOUT']),
    resourceId: uuid(),
    paymentRequestId: nullable(uuid()),
    orderId: nullable(Type.String()),
    customerId: nullable(Type.String({ description: "The merchant's own reference." })),
    customerName: nullable(Type.String()),
    storeName: nullable(Type.String()),
    method: nullable(Type.String({ description: 'PAY_BY_BANK or CARD.' })),
    tipAmount: nullable(pounds('part of a sale.')),
    taxAmount: nullable(pounds('VAT within a sale, as the business has set it.')),
    serviceAmount: nullable(pounds('service charge within a sale.')),
    settledAt: nullable(timestamp('When it entered the balance that payouts are made of.')),
    payoutId: nullable(uuid('The payout that contains it.')),
    payoutReference: nullable(Type.String()),
    paidOutAt: nullable(timestamp('When that payout was settled.')),
  }),
});
