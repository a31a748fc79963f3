import type { Pence } from '#kernel/pence.ts';
import { type Account, type Posting, post, type Transfer } from '#modules/ledger/index.ts';
import type { Ids } from '#platform/ids.ts';
import type { Payout } from './payout.ts';

/** What happened to an amount of a payout. */
export type PayoutBooking = {
  readonly moved: 'HANDED_OVER' | 'LEFT' | 'STAYED' | 'RECALLED' | 'RETURNED';
  readonly amountPence: Pence;
  /**
   * One that starts with PAYOUT is no line of a payout: it is of a whole payout, whose lines are paid out
   * again. What is payable by another one is a line itself.
   */
  readonly reason: PayoutReason;
};

type PayoutReason =
  | 'PAYOUT_HANDED_OVER'
  | 'PAYOUT_SETTLED'
  | 'PAYOUT_REJECTED'
  | 'PAYOUT_RETURNED'
  | 'TRANSFER_SETTLED'
  | 'TRANSFER_REJECTED'
  | 'TRANSFER_RETURNED';

export const payoutPostings = (
  payout: Payout,
  bookings: readonly PayoutBooking[],
  ids: Pick<Ids, 'uuid'>,
): readonly Posting[] =>
  bookings.flatMap(({ moved, amountPence, reason }) =>
    post(
      {
        transactionId: ids.uuid(),
        reason,
        resourceId: payout.payoutId,
        attemptId: null,
        creditorAccount: `${payout.account.sortCode}${payout.account.accountNumber}`,
        occurredAt: payout.now,
      },
      moves[moved].map(([debit, credit]): Transfer => ({ debit, credit, amount: amountPence })),
    ).map((posting) =>
      posting.account === 'MERCHANT_PAYABLE' && !reason.startsWith('PAYOUT') && payout.storeId
        ? { ...posting, storeId: payout.storeId }
        : posting,
    ),
  );

const moves: Readonly<
  Record<PayoutBooking['moved'], readonly (readonly [debit: Account, credit: Account])[]>
> = {
  HANDED_OVER: [['MERCHANT_PAYABLE', 'PAYOUTS_IN_TRANSIT']],
  LEFT: [
    ['PAYOUTS_IN_TRANSIT', 'COLLECTING_ACCOUNT'],
    ['STORE_PAID_OUT', 'MERCHANT_PAID_OUT'],
  ],
  STAYED: [['PAYOUTS_IN_TRANSIT', 'MERCHANT_PAYABLE']],
  // It came back while other parts are on their way.
  RECALLED: [
    ['COLLECTING_ACCOUNT', 'RETURNS'],
    ['RETURNS', 'PAYOUTS_IN_TRANSIT'],
    ['MERCHANT_PAID_OUT', 'STORE_PAID_OUT'],
  ],
  RETURNED: [
    ['COLLECTING_ACCOUNT', 'RETURNS'],
    ['RETURNS', 'MERCHANT_PAYABLE'],
    ['MERCHANT_PAID_OUT', 'STORE_PAID_OUT'],
  ],
};
