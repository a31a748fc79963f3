import type { Pence } from '#kernel/pence.ts';
import { type EntryPair, type Posting, post } from '#modules/ledger/index.ts';
import { type Attempt, type Payment, totalPence } from './payment.ts';

type Reason =
  | 'PAYMENT_AUTHORISED'
  | ReleaseReason
  | 'PAYMENT_LATE'
  | 'LATE_PAYMENT_REFUNDED'
  | 'LATE_REFUND_FAILED'
  | 'REFUNDED_AT_PROCESSOR'
  | 'REFUND_AT_PROCESSOR_FAILED'
  | 'PAYMENT_COMPLETED'
  | 'PAYMENT_SETTLED'
  | 'PAYMENT_REVERSED'
  | DisputeReason;
type DisputeReason = 'PAYMENT_DISPUTED' | 'DISPUTE_WON';
type ReleaseReason = 'AUTHORISATION_CAPTURED' | 'AUTHORISATION_RELEASED' | 'AUTHORISATION_EXPIRED';

/** COMPLETED by a bank's status: the money is due until it arrives (MONEY-6). */
export const completedPostings = (payment: Payment, attempt: Attempt, transactionId: string) =>
  entries(payment, attempt, transactionId, 'PAYMENT_COMPLETED', completedPairs(attempt));

/** The card's bank holds the money until it is captured or released. */
export const authorisedPostings = (payment: Payment, attempt: Attempt, transactionId: string) =>
  entries(payment, attempt, transactionId, 'PAYMENT_AUTHORISED', [heldPair(attempt)]);

/** Nothing is held any more: it was captured, released, or ran out. */
export const releasedPostings = (
  payment: Payment,
  attempt: Attempt,
  reason: ReleaseReason,
  transactionId: string,
) => entries(payment, attempt, transactionId, reason, [reversed(heldPair(attempt))]);

/** It was paid by card when nothing was to be paid any more (REFUND-8). */
export const latePostings = (payment: Payment, attempt: Attempt, transactionId: string) =>
  entries(payment, attempt, transactionId, 'PAYMENT_LATE', [latePair(attempt)]);

export const lateRefundedPostings = (payment: Payment, attempt: Attempt, transactionId: string) =>
  entries(payment, attempt, transactionId, 'LATE_PAYMENT_REFUNDED', [reversed(latePair(attempt))]);

/** What had gone back to the card is at the processor again. */
export const lateRefundFailedPostings = (
  payment: Payment,
  attempt: Attempt,
  transactionId: string,
) => entries(payment, attempt, transactionId, 'LATE_REFUND_FAILED', [latePair(attempt)]);

/** The bank reports that the money has arrived: from now on it can be paid out. */
export const settledPostings = (payment: Payment, attempt: Attempt, transactionId: string) =>
  entries(payment, attempt, transactionId, 'PAYMENT_SETTLED', settledPairs(attempt));

/** The processor pays the merchant itself: nothing is due from a bank, nothing passes through us. */
export const paidByCardPostings = (payment: Payment, attempt: Attempt, transactionId: string) =>
  entries(payment, attempt, transactionId, 'PAYMENT_COMPLETED', [
    {
      debit: 'SETTLED_BY_PROCESSOR',
      credit: 'MERCHANT_PAID_DIRECTLY',
      amount: totalPence(attempt),
    },
  ]);

/** The processor took the money from the merchant, because the customer's bank took it from there. */
export const disputedPostings = (
  payment: Payment,
  attempt: Attempt,
  amount: Pence,
  transactionId: string,
) =>
  entries(payment, attempt, transactionId, 'PAYMENT_DISPUTED', [
    { debit: 'MERCHANT_PAID_DIRECTLY', credit: 'SETTLED_BY_PROCESSOR', amount },
  ]);

export const disputeWonPostings = (
  payment: Payment,
  attempt: Attempt,
  amount: Pence,
  transactionId: string,
) =>
  entries(payment, attempt, transactionId, 'DISPUTE_WON', [
    { debit: 'SETTLED_BY_PROCESSOR', credit: 'MERCHANT_PAID_DIRECTLY', amount },
  ]);

/** The merchant refunded in the processor's own dashboard: it took the money from the merchant. */
export const refundedPostings = (
  payment: Payment,
  attempt: Attempt,
  amount: Pence,
  transactionId: string,
) =>
  entries(payment, attempt, transactionId, 'REFUNDED_AT_PROCESSOR', [
    { debit: 'MERCHANT_PAID_DIRECTLY', credit: 'SETTLED_BY_PROCESSOR', amount },
  ]);

/** The card's bank returned such a refund: the money is the merchant's again. */
export const refundFailedPostings = (
  payment: Payment,
  attempt: Attempt,
  amount: Pence,
  transactionId: string,
) =>
  entries(payment, attempt, transactionId, 'REFUND_AT_PROCESSOR_FAILED', [
    { debit: 'SETTLED_BY_PROCESSOR', credit: 'MERCHANT_PAID_DIRECTLY', amount },
  ]);

/** Everything that was booked for the attempt, the other way round. */
export const reversedPostings = (payment: Payment, attempt: Attempt, transactionId: string) => {
  const booked = [...completedPairs(attempt), ...(attempt.isSettled ? settledPairs(attempt) : [])];
  return entries(payment, attempt, transactionId, 'PAYMENT_REVERSED', booked.map(reversed));
};

const heldPair = (attempt: Attempt): EntryPair => ({
  debit: 'HELD_AT_PROCESSOR',
  credit: 'MERCHANT_AUTHORISED',
  amount: totalPence(attempt),
});

const latePair = (attempt: Attempt): EntryPair => ({
  debit: 'SETTLED_BY_PROCESSOR',
  credit: 'LATE_MONEY',
  amount: totalPence(attempt),
});

const reversed = ({ debit, credit, amount }: EntryPair): EntryPair => ({
  debit: credit,
  credit: debit,
  amount,
});

const completedPairs = (attempt: Attempt): readonly EntryPair[] => {
  const amount = totalPence(attempt);
  if (attempt.settlesTo === 'STORE_ACCOUNT')
    return [{ debit: 'DUE_FROM_BANK', credit: 'MERCHANT_PAID_DIRECTLY', amount }];
  return [{ debit: 'DUE_FROM_BANK', credit: 'MERCHANT_UNSETTLED', amount }];
};

const settledPairs = (attempt: Attempt): readonly EntryPair[] => {
  const amount = totalPence(attempt);
  if (attempt.settlesTo === 'STORE_ACCOUNT')
    return [{ debit: 'STORE_ACCOUNT', credit: 'DUE_FROM_BANK', amount }];
  return [
    { debit: 'COLLECTING_ACCOUNT', credit: 'DUE_FROM_BANK', amount },
    { debit: 'MERCHANT_UNSETTLED', credit: 'MERCHANT_PAYABLE', amount },
  ];
};

const entries = (
  payment: Payment,
  attempt: Attempt,
  transactionId: string,
  reason: Reason,
  pairs: readonly EntryPair[],
): readonly Posting[] =>
  post(
    {
      transactionId,
      reason,
      resourceId: payment.paymentRequestId,
      attemptId: attempt.attemptId,
      storeId: payment.store.id,
      ...creditorOf(attempt),
      occurredAt: payment.now,
    },
    pairs,
  );

/** A card processor's account has no number. */
const creditorOf = ({ creditor }: Attempt): Pick<Posting, 'creditorAccount'> =>
  creditor.accountNumber === ''
    ? {}
    : { creditorAccount: `${creditor.sortCode}${creditor.accountNumber}` };
