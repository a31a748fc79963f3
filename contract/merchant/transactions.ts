import Type from 'typebox';
import {
  day,
  listTotals,
  nullable,
  pageNumber,
  pageSize,
  sortedAndTotalled,
  timestamp,
  uuid,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { cardPaymentDetails, storeDetails, totalRefundAmount } from './payment-status.ts';

/** What became of a completed transaction, whose status stays COMPLETED. */
export const outcomes = ['PAID', 'PART_REFUNDED', 'REFUNDED', 'DISPUTED', 'DISPUTE_LOST'] as const;

/** Every status that a client may search for; one that no transaction has matches nothing. */
const statuses = [
  'PAYMENT_NOT_INITIATED',
  'AWAITING_AUTHORIZATION',
  'PENDING',
  'AUTHORIZED',
  'COMPLETED',
  ...outcomes,
  'FAILED',
  'CANCELLED',
  'EXPIRED',
  'REJECTED',
] as const;

const listOfIds = (description: string) =>
  Type.Optional(
    Type.Array(uuid(), { minItems: 1, maxItems: limits.searchFilterItems, description }),
  );

const amount = (description: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: limits.searchAmountPoundsMax,
      description: `Pounds, at most two decimals, tip included: ${description}`,
    }),
  );

const matchesMax = limits.searchMatchesMax.toLocaleString('en-GB');

const readMax = limits.searchReadMax.toLocaleString('en-GB');

const body = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: limits.searchLength,
      description:
        'Free text over consumer name, order id, payment request id, amount and last four digits ' +
        'of a card. Each word must be a prefix of a word, or of a part of one: "42" and "inv" find ' +
        'INV-0042. Case and accents make no difference; a payment request id is found by four or ' +
        'more of its first characters.',
    }),
  ),
  fromDate: Type.Optional(day('the first day.')),
  toDate: Type.Optional(day('the last day, itself included.')),
  status: Type.Optional(
    Type.Array(Type.Enum(statuses), {
      minItems: 1,
      maxItems: limits.searchFilterItems,
      description:
        'COMPLETED finds all that was paid, whatever its outcome; an outcome finds those alone. Totals ' +
        'tell the outcomes apart, with COMPLETED for PAID.',
    }),
  ),
  atoaCustomerIds: listOfIds('Customers of the service.'),
  serviceCustomerIds: listOfIds('The same as atoaCustomerIds.'),
  paymentMethod: Type.Optional(
    Type.Array(Type.Enum(['PAY_BY_BANK', 'CARD']), {
      minItems: 1,
      maxItems: limits.searchFilterItems,
    }),
  ),
  storeIds: listOfIds('Stores.'),
  minAmount: amount('not less than this.'),
  maxAmount: amount('not more than this. The same as minAmount finds one amount.'),
  institutionIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: limits.referenceLength }), {
      minItems: 1,
      maxItems: limits.searchFilterItems,
      description: 'Banks, by the `id` of the list of banks. A payment by card has none.',
    }),
  ),
  ...sortedAndTotalled,
});

/** STATUS-6: one payer's payment, or an attempt of one. */
const transaction = Type.Object({
  paymentIdempotencyId: Type.String(),
  paymentRequestId: uuid(),
  customerId: Type.String({ description: "The merchant's own reference." }),
  consumerId: nullable(Type.String()),
  merchantName: Type.String(),
  merchantId: uuid(),
  orderId: Type.String(),
  consumerName: nullable(Type.String()),
  paidAmount: Type.Number({ description: 'Pounds, tip included.' }),
  totalRefundAmount,
  currency: Type.String(),
  status: Type.String(),
  outcome: nullable(
    Type.String({
      description:
        'Of a completed one: PAID, PART_REFUNDED or REFUNDED; DISPUTED while a dispute is open and ' +
        'DISPUTE_LOST after it, whatever was refunded. Null: it is not completed.',
    }),
  ),
  transactionType: Type.Enum(['OPEN_BANKING', 'CARD']),
  institutionId: nullable(Type.String({ description: 'The bank; none of a payment by card.' })),
  lastFourDigits: nullable(
    Type.String({ description: 'Of the account or the card, once it is known.' }),
  ),
  notes: nullable(Type.String()),
  storeDetails,
  cardPaymentDetails: Type.Optional(cardPaymentDetails),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

/**
 * The newest first, unless orderBy says otherwise. A filter that is left out does not filter; an empty
 * list is refused. A request without an attempt has no transaction. Without text, amount or bank the
 * total is exact.
 */
export const searchTransactions = operation({
  id: 'searchTransactions',
  route: 'POST /api/payments/transactions',
  access: 'secret',
  summary: 'Search the transactions of the merchant.',
  rules: ['STATUS-6'],
  query: Type.Object({ page: pageNumber, size: pageSize(limits.transactionsPageSize) }),
  body,
  bodyOptional: true,
  reply: Type.Object({
    data: Type.Array(transaction),
    totalCount: Type.Integer({
      description:
        'Transactions on all pages. Exact without text, amount and bank, and with a text or one ' +
        `amount that is found in at most ${matchesMax} transactions; otherwise see ` +
        'totalCountIsMinimum.',
    }),
    totalCountIsMinimum: Type.Optional(
      Type.Literal(true, {
        description:
          'Only with a text, an amount or a bank: counting ended at totalCount, and there may be more. ' +
          `Matches are counted up to ${matchesMax}. Where each word of a text is found in more ` +
          'transactions than that, counting ends with what was read for the page. By amounts or bank ' +
          `alone the newest ${readMax} transactions of the chosen days and statuses are read at ` +
          'most. Dates make it exact.',
      }),
    ),
    page: Type.Integer(),
    size: Type.Integer(),
    totals: listTotals,
  }),
});
