import Type from 'typebox';
import { nullable, timestamp, uuid } from '../fields.ts';
import { payoutLineTypes, payoutStatuses } from '../merchant/payouts.ts';
import { operation } from '../operation.ts';

const pounds = (description: string) => Type.Number({ description: `Pounds: ${description}` });

/** From the ledger: net is what the merchant keeps of it now. */
export const getPaymentMoney = operation({
  id: 'getPaymentMoney',
  route: 'GET /payments/:paymentRequestId/money',
  access: 'member',
  summary: 'Show what a payment brought: fee, net, and the payouts that contain it.',
  rules: ['DASHBOARD-43'],
  params: Type.Object({ paymentRequestId: uuid() }),
  reply: Type.Object({
    sold: pounds('paid, tips included.'),
    refunded: pounds('refunds on their way or done.'),
    reversed: pounds('taken back by banks, and by disputes that were not won.'),
    fees: pounds('fees of the operator; charged when the payment enters a payout.'),
    net: pounds('sold, less all of these.'),
    statementText: nullable(
      Type.String({
        description: 'What a payer by bank reads on the statement. Null: paid by card alone.',
      }),
    ),
    paidDirectly: pounds('of net, what the card processor pays you itself: it is in no payout.'),
    payouts: Type.Array(
      Type.Object({
        payoutId: uuid(),
        reference: Type.String({ description: 'Stands on your bank statement.' }),
        status: Type.Enum(payoutStatuses),
        amount: pounds('of this payment in that payout, its fees and refunds taken off.'),
        settledAt: nullable(timestamp()),
        closesAt: timestamp('Until then it takes payments; after that it is sent to the bank.'),
      }),
      { description: 'The first one first. Empty: it is in none yet, or its money is not ours.' },
    ),
  }),
  failsWith: ['notFound'],
});

/** What each store, and each kind of line, brought to a payout; either adds up to its amount. */
export const listPayoutStores = operation({
  id: 'listPayoutStores',
  route: 'GET /payouts/:payoutId/stores',
  access: 'member',
  summary: 'Add up the lines of a payout by store and by kind.',
  rules: ['DASHBOARD-43'],
  params: Type.Object({ payoutId: uuid() }),
  reply: Type.Object({
    firstAt: nullable(timestamp('When the money of its first line moved. Null: it has no line.')),
    lastAt: nullable(timestamp('The same of its last line.')),
    data: Type.Array(
      Type.Object({
        storeId: uuid(),
        storeName: Type.String(),
        lines: Type.Integer(),
        amount: pounds('refunds and fees taken off.'),
      }),
    ),
    kinds: Type.Array(
      Type.Object({
        lineType: Type.Enum(payoutLineTypes),
        lines: Type.Integer(),
        amount: pounds('what is deducted is negative.'),
      }),
    ),
  }),
  failsWith: ['notFound'],
});
