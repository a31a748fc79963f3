import type { Tenant } from '#kernel/environment.ts';
import { lifecycle } from '#kernel/lifecycle.ts';
import type { Pence } from '#kernel/pence.ts';
import { type Account, type EntryPair, type Posting, post } from '#modules/ledger/index.ts';
import type { TransferOutcome } from '#modules/transfers/index.ts';
import type { Ids } from '#platform/clock.ts';
import type { TransferAccount } from '#rails/transfer-rail.ts';

/** PAYOUT-1. */
export const payoutLifecycle = lifecycle({
  name: 'payout',
  initial: 'PENDING',
  states: ['PENDING', 'PROCESSING', 'SETTLED', 'FAILED'],
  edges: [
    { from: 'PENDING', trigger: 'handedOver', to: 'PROCESSING' },
    { from: 'PROCESSING', trigger: 'partEnded', to: 'PROCESSING' },
    { from: 'PROCESSING', trigger: 'settled', to: 'SETTLED' },
    { from: 'PROCESSING', trigger: 'rejected', to: 'FAILED' },
    { from: 'SETTLED', trigger: 'partReturned', to: 'SETTLED' },
    { from: 'SETTLED', trigger: 'returned', to: 'FAILED' },
  ],
});

export type PayoutStatus = (typeof payoutLifecycle.states)[number];
export type PayoutTrigger = (typeof payoutLifecycle.edges)[number]['trigger'];

export type SettlementPeriod = 'DAILY' | 'WEEKLY' | 'MONTHLY';

export type PeriodRule = {
  readonly period: SettlementPeriod;
  /** Minutes after midnight in London. */
  readonly cutOffMinutes: number;
};

export type PayoutPart = {
  readonly endToEndId: string;
  readonly amountPence: Pence;
  /** Null: on its way. */
  readonly outcome: TransferOutcome | null;
};

export type Payout = {
  readonly tenant: Tenant;
  readonly payoutId: string;
  readonly status: PayoutStatus;
  readonly version: number;
  readonly reference: string;
  readonly account: TransferAccount;
  /** Negative when refunds exceed payments. */
  readonly amountPence: Pence;
  /** Of its first transfer. */
  readonly endToEndId: string | null;
  /** Its transfers. */
  readonly parts: readonly PayoutPart[];
  /** Of its first line. */
  readonly storeId: string | null;
  readonly merchantName: string;
  readonly periodRule: PeriodRule;
  /** Business time at which it was read. */
  readonly now: Date;
};

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
      moves[moved].map(([debit, credit]): EntryPair => ({ debit, credit, amount: amountPence })),
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
