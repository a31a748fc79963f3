import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { type Pence, pence } from '#kernel/pence.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import type { CardRail, CardRefundsOutcome, ProcessorRefund } from '#rails/card-rail.ts';
import { type Change, changePayment, noteAttempt, noteHistory } from '../core/change-payment.ts';
import { refundedPostings, refundFailedPostings } from '../core/completed-postings.ts';
import { emitRefund } from '../core/emit-outcome.ts';
import { decryptRailState } from '../core/encrypted-columns.ts';
import {
  type Attempt,
  type AttemptCard,
  type CardRefund,
  findAttempt,
  type Payment,
  totalPence,
} from '../core/payment.ts';
import type { CardTools } from './complete-card.ts';
import { isReturnOver, recordLaterReturn } from './late-payments.ts';
import { nextCardPoll } from './next-card-poll.ts';
import type { RecordTools } from './outcomes.ts';
import { findOwnRefunds } from './store/find-cards.ts';

/**
 * Refunds made in the processor's own dashboard (REFUND-9), known by the processor's ids: each is booked,
 * emitted and shown when it is done, and reversed when it fails after that. Ours are left out by their ids,
 * so it does not matter how they have changed since the processor was read.
 */
export const recordRefunds = (
  tools: CardTools,
  change: Change,
  { attemptId, card: before }: Attempt,
  read: readonly ProcessorRefund[],
  ownRefundIds: ReadonlySet<string>,
): boolean => {
  if (!before) return false;
  const refunds = read.filter(({ refundId }) => refundId === null || !ownRefundIds.has(refundId));
  let isChanged = false;
  for (const refund of withoutUnnamed(before.refunds, refunds)) {
    const attempt = findAttempt(change.payment, attemptId);
    if (!attempt?.card) return false;
    const known = attempt.card.refunds.find(({ reference }) => reference === refund.reference);
    const isDone = !known && refund.status === 'COMPLETED';
    const isReturned = known?.failedAt === null && refund.status === 'FAILED';
    if (isDone) isChanged = add(tools, change, attempt, attempt.card, refund) || isChanged;
    if (isReturned) isChanged = reverse(tools, change, attempt, attempt.card, known, refund);
  }
  return isChanged;
};

/** An earlier version booked sums without ids: they cover the oldest refunds. */
const withoutUnnamed = (
  recorded: readonly CardRefund[],
  refunds: readonly ProcessorRefund[],
): readonly ProcessorRefund[] => {
  let coveredPence = recorded
    .filter(({ reference }) => reference === null)
    .reduce((sum, { amountPence }) => sum + amountPence, 0n);
  return refunds.filter(({ status, amountPence }) => {
    const isCovered = status === 'COMPLETED' && amountPence <= coveredPence;
    if (isCovered) coveredPence -= amountPence;
    return !isCovered;
  });
};

const add = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  card: AttemptCard,
  { reference, amountPence }: ProcessorRefund,
): boolean => {
  const recordedPence =
    card.refundedPence + card.refundReservedPence + refundedAtProcessor(card.refunds);
  // One of ours did not reach the processor before it, and fails there: then it is read again.
  if (recordedPence + amountPence > totalPence(attempt)) return readAgain(change, attempt);
  const refund: CardRefund = {
    refundId: tools.ids.uuid(),
    reference,
    amountPence,
    refundedAt: change.payment.now,
    failedAt: null,
    errorDescription: null,
  };
  noteHistory(change, attempt, 'refundedAtProcessor', refund.refundId);
  const refunds = [...card.refunds, refund];
  noteAttempt(change, attempt.attemptId, { card: { ...card, refunds }, pollBusinessAt: null });
  const transactionId = tools.ids.uuid();
  change.postings.push(...refundedPostings(change.payment, attempt, amountPence, transactionId));
  emitRefund(tools, change, attempt, refund);
  return true;
};

const readAgain = (change: Change, { attemptId, pollCount }: Attempt): boolean => {
  noteAttempt(change, attemptId, {
    pollCount: pollCount + 1,
    pollBusinessAt: nextCardPoll('ENDED', pollCount, change.payment.now),
  });
  return true;
};

const reverse = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  card: AttemptCard,
  known: CardRefund,
  { errorDescription }: ProcessorRefund,
): boolean => {
  const failed: CardRefund = { ...known, failedAt: change.payment.now, errorDescription };
  noteHistory(change, attempt, 'refundAtProcessorFailed', failed.refundId);
  const refunds = card.refunds.map((each) => (each === known ? failed : each));
  noteAttempt(change, attempt.attemptId, { card: { ...card, refunds } });
  const transactionId = tools.ids.uuid();
  change.postings.push(
    ...refundFailedPostings(change.payment, attempt, failed.amountPence, transactionId),
  );
  emitRefund(tools, change, attempt, failed);
  return true;
};

export const refundedAtProcessor = (refunds: readonly CardRefund[]): Pence =>
  pence(
    refunds
      .filter(({ failedAt }) => failedAt === null)
      .reduce((sum, { amountPence }) => sum + amountPence, 0n),
  );

/** Reads one by one what of a payment went back to its card (REFUND-9), at any time, any number of times. */
export const pollRefunds = async (
  tools: RecordTools,
  rail: CardRail,
  payment: Payment,
  attempt: Attempt,
): Promise<Payment> => {
  const state = decryptRailState(tools.secrets, attempt);
  if (state === null) return payment;
  const isLate = isReturnOver(attempt);
  if (attempt.status !== 'COMPLETED' && !isLate) return payment;
  const read = await rail.readRefunds(state);
  if (read.kind === 'UNKNOWN') throw notRead(read.description);
  if (isLate) return recordLaterReturn(tools, payment, attempt, read.refunds);
  const { tenant, paymentRequestId } = payment;
  const { attemptId } = attempt;
  if (read.kind === 'TOO_MANY') await openCases(tools, [tooMany(payment, attempt, read)]);
  // After the processor: what is ours there was committed here before it was sent.
  const own = await tools.database.tenant(tenant.merchantId, findOwnRefunds, {
    ...tenant,
    attemptId,
  });
  const ownRefundIds = new Set(own.map((row) => row.refund_id));
  return changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const now = findAttempt(current, attemptId);
    if (now?.status !== 'COMPLETED') return false;
    if (recordRefunds(tools, change, now, read.refunds, ownRefundIds)) return true;
    // It was to be read again, and now nothing is missing.
    if (now.pollBusinessAt !== null) noteAttempt(change, attemptId, { pollBusinessAt: null });
    return now.pollBusinessAt !== null;
  });
};

/** What was read is booked; a person finds out about the others. */
const tooMany = (
  { tenant, paymentRequestId }: Payment,
  { attemptId }: Attempt,
  { readPerPayment }: Extract<CardRefundsOutcome, { kind: 'TOO_MANY' }>,
) => ({
  tenant,
  kind: 'PROCESSOR_CONTRADICTION' as const,
  subject: attemptId,
  description:
    `The card processor has more refunds of a payment than are read (${readPerPayment}). The newest ` +
    'are booked: look there for the others.',
  evidence: { paymentRequestId, attemptId, readPerPayment },
});

/** The processor sends its event again, and a job tries again. */
const notRead = (message: string): Failure =>
  new Failure(failures.unavailable, { message, retryAfterSeconds: 5 });
