import type { listPayoutTransactions, ReplyOf } from '@florin/contract';

type Line = ReplyOf<typeof listPayoutTransactions>['data'][number];

/** What a line of a payout is for. */
export const lineKinds = {
  PAYMENT: 'Payment',
  REVERSAL: 'Taken back by the bank',
  REFUND: 'Refund',
  REFUND_RETURNED: 'Refund came back',
  FEE: 'Fee',
  FEE_RETURNED: 'Fee returned',
  HELD: 'Held until the bank explains',
  PAYOUT_RETURNED: 'Part of an earlier payout that did not arrive',
} as const satisfies Record<Line['lineType'], string>;

/** Of several of them added up. */
export const kindTitles: Readonly<Record<Line['lineType'], string>> = {
  ...lineKinds,
  PAYMENT: 'Payments',
  REFUND: 'Refunds',
  REFUND_RETURNED: 'Refunds that came back',
  FEE: 'Fees',
  FEE_RETURNED: 'Fees returned',
};
