import Type from 'typebox';
import {
  day,
  listTotals,
  nullable,
  pageNumber,
  pageSize,
  sortedAndTotalled,
  sorts,
  timestamp,
  uuid,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

export const payoutStatuses = ['PENDING', 'PROCESSING', 'SETTLED', 'FAILED'] as const;

export const payoutLineTypes = [
  'PAYMENT',
  'REVERSAL',
  'REFUND',
  'REFUND_RETURNED',
  'FEE',
  'FEE_RETURNED',
  'HELD',
  'PAYOUT_RETURNED',
] as const;

const pageOf = <const Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Object({
    data: Type.Array(item),
    page: Type.Number(),
    itemPerPage: Type.Number(),
    totalCount: Type.Number(),
  });

/** PAYOUT-3. Newest first, unless orderBy says otherwise. */
export const listPayouts = operation({
  id: 'listPayouts',
  route: 'GET /api/payouts',
  access: 'secret',
  summary: 'Payouts to your bank accounts.',
  rules: ['PAYOUT-1', 'PAYOUT-2', 'PAYOUT-3'],
  query: Type.Object({
    page: pageNumber,
    limit: pageSize(limits.payoutsPageSize),
    fromDate: Type.Optional(day('created on it or later.')),
    toDate: Type.Optional(day('created on it or earlier.')),
    orderBy: Type.Optional(
      Type.Enum([...sorts, 'ASC', 'DESC', 'createdAt'], {
        description: 'By time or by amount. ASC: as OLDEST; DESC and createdAt: as NEWEST.',
      }),
    ),
    status: Type.Optional(
      Type.Enum([...payoutStatuses, 'COMPLETED'], { description: 'COMPLETED: as SETTLED.' }),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: limits.searchLength,
        description: 'An amount such as 12.50, or the beginning of a reference.',
      }),
    ),
    totals: sortedAndTotalled.totals,
  }),
  reply: Type.Object({
    ...pageOf(
      Type.Object({
        id: uuid(),
        amount: Type.String({ description: 'Pounds, two decimals.' }),
        currency: Type.String(),
        settlementPeriodEnd: timestamp(),
        settledAt: nullable(timestamp('When it was paid out. Null: it is not yet.')),
        createdAt: timestamp(),
        updatedAt: timestamp(),
        status: Type.Enum(payoutStatuses),
        reference: Type.String({ description: 'Stands on your bank statement.' }),
        account: Type.Object(
          {
            name: Type.String(),
            lastFour: Type.String({ description: 'Of the account number.' }),
          },
          { description: 'The bank account that it goes to.' },
        ),
        lineCount: Type.Integer({ description: 'Its payments, refunds and fees.' }),
      }),
    ).properties,
    totals: listTotals,
  }),
});

/** PAYOUT-3. */
export const listPayoutTransactions = operation({
  id: 'listPayoutTransactions',
  route: 'GET /api/payouts/:payoutId/transactions',
  access: 'secret',
  summary: 'The payments, refunds and fees of a payout.',
  rules: ['PAYOUT-2', 'PAYOUT-3', 'PAYOUT-5'],
  params: Type.Object({ payoutId: uuid() }),
  query: Type.Object({ page: pageNumber, limit: pageSize(limits.payoutTransactionsPageSize) }),
  reply: pageOf(
    Type.Object({
      paymentIdempotencyId: nullable(Type.String()),
      paymentRequestId: nullable(uuid()),
      createdAt: timestamp(),
      amount: Type.String({ description: 'Pounds, two decimals; what is deducted is negative.' }),
      currency: Type.String(),
      lineType: Type.Enum(payoutLineTypes, {
        description:
          'What the line is for. A fee names the payment that it is charged for; part of an ' +
          'earlier payout names none.',
      }),
      refundId: nullable(Type.String()),
      refundPaymentReference: nullable(Type.String()),
      payoutReferenceId: Type.String(),
      transactionFinalizedAt: timestamp(),
      isRefund: Type.Boolean(),
      callbackParams: Type.Object({}, { additionalProperties: true }),
      notes: nullable(Type.String()),
      orderId: nullable(Type.String({ description: 'Null: it is of no one payment.' })),
      storeName: Type.String(),
    }),
  ),
  failsWith: ['environmentMismatch', 'notFound'],
});

const matches = ['MATCHED', 'DIFFERENT', 'MISSING', 'WAITING', 'NOT_CONNECTED'] as const;

/** PAYOUT-7. Settled payouts, the newest first. */
export const listPayoutMatches = operation({
  id: 'listPayoutMatches',
  route: 'GET /api/payouts/matches',
  access: 'secret',
  summary: 'Which payouts arrived on your connected bank accounts.',
  rules: ['PAYOUT-7'],
  query: Type.Object({
    page: pageNumber,
    limit: pageSize(limits.payoutMatchesPageSize),
    fromDate: Type.Optional(day('settled on it or later.')),
    toDate: Type.Optional(day('settled on it or earlier.')),
    match: Type.Optional(Type.Enum(matches)),
  }),
  reply: pageOf(
    Type.Object({
      payoutId: uuid(),
      reference: Type.String({ description: 'Stands on your bank statement.' }),
      amount: Type.String({ description: 'Pounds, two decimals.' }),
      currency: Type.String(),
      settledAt: timestamp(),
      match: Type.Enum(matches, {
        description:
          'MATCHED: the amount was credited. DIFFERENT: another amount was. MISSING: the account was ' +
          'read long enough after the payout and does not show it. WAITING: it may still come. ' +
          'NOT_CONNECTED: the account of the payout is not connected.',
      }),
      creditedAmount: Type.String({ description: 'Pounds, of all credits with the reference.' }),
      credits: Type.Integer({ description: 'How many credits carry the reference.' }),
      creditedAt: nullable(timestamp('Booking date of the first credit.')),
      bankAccountId: nullable(uuid('The connected account that shows the first credit.')),
      bankTransactionId: nullable(Type.String()),
      isPayoutAccount: nullable(
        Type.Boolean({ description: 'The credit is on the account that the payout was for.' }),
      ),
    }),
  ),
});
