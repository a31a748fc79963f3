import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { type Pence, pence } from '#kernel/pence.ts';
import type { CardOutcome } from '#rails/card-rail.ts';
import type { CardRefund } from '../../core/attempt-card.ts';
import { refundedPostings } from '../../core/completed-postings.ts';
import { type Change, noteAttempt, noteHistory } from '../../core/draft-change.ts';
import { emitRefund } from '../../core/emit-outcome.ts';
import { type Attempt, totalPence } from '../../core/payment.ts';
import type { CardTools } from './complete-card.ts';

type Completed = Extract<CardOutcome, { readonly kind: 'COMPLETED' }>;

/**
 * Refunds made in the processor's own dashboard since the last report (REFUND-9): booked, emitted
 * and shown once. A report of less is older than the recorded state.
 */
export const recordRefunds = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  { payment }: Completed,
): boolean => {
  const { card } = attempt;
  if (!card) return false;
  if (card.refundReservedPence > 0n) throw refundInFlight();
  const added = payment.refundedPence - card.refundedPence - refundedAtProcessor(card.refunds);
  if (added <= 0n || payment.refundedPence > totalPence(attempt)) return false;
  const refund: CardRefund = {
    refundId: tools.ids.uuid(),
    amountPence: pence(added),
    refundedAt: change.payment.now,
  };
  noteHistory(change, attempt, 'refundedAtProcessor', refund.refundId);
  noteAttempt(change, attempt.attemptId, { card: { ...card, refunds: [...card.refunds, refund] } });
  change.postings.push(
    ...refundedPostings(change.payment, attempt, refund.amountPence, tools.ids.uuid()),
  );
  emitRefund(tools, change, attempt, refund);
  return true;
};

export const refundedAtProcessor = (refunds: readonly CardRefund[]): Pence =>
  pence(refunds.reduce((sum, { amountPence }) => sum + amountPence, 0n));

/** One of our refunds is in progress: only after its end is it known what else was refunded. */
const refundInFlight = (): Failure =>
  new Failure(failures.unavailable, {
    message: 'A refund of this payment is not final yet. Send the event again.',
    retryAfterSeconds: 5,
  });
