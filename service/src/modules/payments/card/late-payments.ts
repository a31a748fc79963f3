import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail, CardRefundOutcome } from '#rails/card-rail.ts';
import {
  type Change,
  changePayment,
  noteAttempt,
  noteHistory,
  recordPoll,
} from '../core/change-payment.ts';
import { lateRefundedPostings, lateRefundFailedPostings } from '../core/completed-postings.ts';
import { decryptRailState, encryptRailState } from '../core/encrypted-columns.ts';
import { type Attempt, findAttempt, type Payment, totalPence } from '../core/payment.ts';
import { nextCardPoll } from './next-card-poll.ts';
import { longOpen, type RecordTools } from './outcomes.ts';

const answerWithinMs = 45_000;

/**
 * Refunds a payment on a page that should have been closed (REFUND-8). The request is committed
 * first, so that it is sent once.
 */
export const refundLatePayment = async (
  tools: RecordTools,
  rail: CardRail,
  payment: Payment,
  attempt: Attempt,
): Promise<Payment> => {
  const state = decryptRailState(tools.secrets, attempt);
  if (state === null) return payment;
  if (attempt.step === 'REFUNDING_LATE')
    return recordReturn(tools, payment, attempt, await rail.readRefund(state));
  const { attemptId } = attempt;
  const refundState = rail.prepareRefund(state, {
    refundId: attemptId,
    amountPence: totalPence(attempt),
  });
  const isOurs = await claim(tools, payment, attempt, refundState);
  if (!isOurs) return payment;
  return recordReturn(tools, payment, attempt, await rail.refund(refundState));
};

const claim = async (
  tools: RecordTools,
  { tenant, paymentRequestId }: Payment,
  { attemptId }: Attempt,
  refundState: string,
): Promise<boolean> => {
  let isOurs = false;
  await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    isOurs = attempt?.step === 'PAID_TOO_LATE';
    if (isOurs)
      noteAttempt(change, attemptId, {
        step: 'REFUNDING_LATE',
        railStateEncrypted: encryptRailState(tools.secrets, attemptId, refundState),
        pollCount: 0,
        pollBusinessAt: new Date(current.now.getTime() + answerWithinMs),
      });
    return isOurs;
  });
  return isOurs;
};

const recordReturn = (
  tools: RecordTools,
  payment: Payment,
  { attemptId }: Attempt,
  outcome: CardRefundOutcome,
): Promise<Payment> =>
  changePayment(tools, payment.tenant, payment.paymentRequestId, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (attempt?.step !== 'REFUNDING_LATE') return false;
    if (outcome.kind === 'UNKNOWN' || outcome.kind === 'PENDING') {
      const opened = longOpen(change, attempt);
      if (opened) change.cases.push(opened);
      recordPoll(change, attemptId, {
        ...(opened && { operatorAlertedAt: current.now }),
        ...(outcome.kind === 'PENDING' && {
          railStateEncrypted: encryptRailState(tools.secrets, attemptId, outcome.state),
        }),
        pollCount: attempt.pollCount + 1,
        pollBusinessAt: nextCardPoll('REFUNDING_LATE', attempt.pollCount, current.now),
      });
      return true;
    }
    return endLateRefund(tools, change, attempt, outcome);
  });

type Ended = Exclude<CardRefundOutcome, { readonly kind: 'UNKNOWN' }>;

/** The money is back, or only a person can return it. */
export const endLateRefund = (
  tools: Uses<'ids' | 'secrets'>,
  change: Change,
  attempt: Attempt,
  outcome: Ended,
): boolean => {
  const { payment } = change;
  const { attemptId } = attempt;
  const isReturned = outcome.kind === 'COMPLETED';
  if (isReturned) {
    noteHistory(change, attempt, 'refundedLate', outcome.reference);
    change.postings.push(...lateRefundedPostings(payment, attempt, tools.ids.uuid()));
  } else change.cases.push(refused(payment, attempt, outcome));
  noteAttempt(change, attemptId, {
    step: 'ENDED',
    pollBusinessAt: null,
    railStateEncrypted: encryptRailState(tools.secrets, attemptId, outcome.state),
    endedReason: isReturned ? 'REFUNDED_LATE' : 'NOT_REFUNDED_LATE',
    errorDescription: isReturned ? refundedLate : notRefundedLate,
  });
  return true;
};

/** The card's bank returned what had been refunded: only a person can return it. */
export const recordLateRefundFailure = (
  tools: RecordTools,
  payment: Payment,
  { attemptId }: Attempt,
  outcome: Ended,
): Promise<Payment> =>
  changePayment(tools, payment.tenant, payment.paymentRequestId, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    const hasFailed = outcome.kind === 'FAILED' || outcome.kind === 'CANCELLED';
    if (attempt?.endedReason !== 'REFUNDED_LATE' || !hasFailed) return false;
    noteHistory(change, attempt, 'lateRefundFailed', outcome.reference);
    change.postings.push(...lateRefundFailedPostings(current, attempt, tools.ids.uuid()));
    change.cases.push(refused(current, attempt, outcome));
    noteAttempt(change, attemptId, {
      endedReason: 'NOT_REFUNDED_LATE',
      errorDescription: notRefundedLate,
    });
    return true;
  });

const refundedLate =
  'This was paid by card when the payment had ended another way. The money was returned to the card.';
const notRefundedLate =
  'This was paid by card when the payment had ended another way. It could not be returned by itself: ' +
  'the operator was told.';

const refused = (
  { paymentRequestId }: Payment,
  attempt: Attempt,
  outcome: CardRefundOutcome,
): OperatorCase => ({
  kind: 'LATE_REFUND_REFUSED',
  subject: attempt.attemptId,
  description: 'A card payment that came too late could not be refunded: refund it by hand.',
  evidence: {
    paymentRequestId,
    amountPence: Number(totalPence(attempt)),
    outcome: outcome.kind,
    reason: outcome.kind === 'FAILED' ? outcome.description : null,
  },
});
