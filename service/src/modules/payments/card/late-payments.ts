import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail, CardRefundOutcome, ProcessorRefund } from '#rails/card-rail.ts';
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
    return recordReturn(
      tools,
      payment,
      attempt,
      await outcomeOf(rail, attempt, state, 'readRefund'),
    );
  const { attemptId } = attempt;
  const refundState = rail.prepareRefund(state, {
    refundId: attemptId,
    amountPence: totalPence(attempt),
  });
  const isOurs = await claim(tools, payment, attempt, refundState);
  if (!isOurs) return payment;
  return recordReturn(
    tools,
    payment,
    attempt,
    await outcomeOf(rail, attempt, refundState, 'refund'),
  );
};

/** A refund that is refused may have been made by hand in the processor's own dashboard before. */
const outcomeOf = async (
  rail: CardRail,
  attempt: Attempt,
  state: string,
  call: 'refund' | 'readRefund',
): Promise<CardRefundOutcome> => {
  const outcome = await rail[call](state);
  if (outcome.kind !== 'FAILED' && outcome.kind !== 'CANCELLED') return outcome;
  const read = await rail.readRefunds(state);
  if (read.kind === 'UNKNOWN') return read;
  const last = returnedBy(attempt, read.refunds);
  return last ? { kind: 'COMPLETED', state: outcome.state, reference: last.reference } : outcome;
};

/**
 * Once completed refunds, ours and those made by hand at the processor, cover the whole payment: the last
 * of them.
 */
const returnedBy = (
  attempt: Attempt,
  refunds: readonly ProcessorRefund[],
): ProcessorRefund | undefined => {
  const done = refunds.filter(({ status }) => status === 'COMPLETED');
  const backPence = done.reduce((sum, { amountPence }) => sum + amountPence, 0n);
  return backPence >= totalPence(attempt) ? done.at(-1) : undefined;
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
  } else change.cases.push(refused(payment, attempt, outcome.kind, reasonOf(outcome)));
  noteAttempt(change, attemptId, {
    step: 'ENDED',
    pollBusinessAt: null,
    railStateEncrypted: encryptRailState(tools.secrets, attemptId, outcome.state),
    endedReason: isReturned ? 'REFUNDED_LATE' : 'NOT_REFUNDED_LATE',
    errorDescription: isReturned ? refundedLate : notRefundedLate,
  });
  return true;
};

/** It was returned, or not, and that has ended: a report of the processor may tell otherwise later. */
export const isReturnOver = ({ endedReason }: Attempt): boolean =>
  endedReason === 'REFUNDED_LATE' || endedReason === 'NOT_REFUNDED_LATE';

/**
 * The card's bank gave back what had been refunded, and only a person can return it; or a person has. Nothing
 * is sent.
 */
export const recordLaterReturn = (
  tools: RecordTools,
  payment: Payment,
  { attemptId }: Attempt,
  refunds: readonly ProcessorRefund[],
): Promise<Payment> =>
  changePayment(tools, payment.tenant, payment.paymentRequestId, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (!attempt || !isReturnOver(attempt)) return false;
    const last = returnedBy(attempt, refunds);
    if (attempt.endedReason === 'NOT_REFUNDED_LATE')
      return last !== undefined && returnByHand(tools, change, attempt, last);
    const failed = refunds.findLast(({ status }) => status === 'FAILED');
    const isUnderWay = refunds.some(({ status }) => status === 'PENDING');
    if (last || !failed || isUnderWay) return false;
    noteHistory(change, attempt, 'lateRefundFailed', failed.reference);
    change.postings.push(...lateRefundFailedPostings(current, attempt, tools.ids.uuid()));
    change.cases.push(refused(current, attempt, 'FAILED', failed.errorDescription));
    noteAttempt(change, attemptId, {
      endedReason: 'NOT_REFUNDED_LATE',
      errorDescription: notRefundedLate,
    });
    return true;
  });

const returnByHand = (
  tools: Uses<'ids'>,
  change: Change,
  attempt: Attempt,
  { reference }: ProcessorRefund,
): true => {
  const { attemptId } = attempt;
  noteHistory(change, attempt, 'refundedLate', reference);
  change.postings.push(...lateRefundedPostings(change.payment, attempt, tools.ids.uuid()));
  change.resolvedCases.push({
    ...{ kind: 'LATE_REFUND_REFUSED', subject: attemptId, actor: 'card processor' },
    resolution: 'The money was returned to the card.',
  });
  noteAttempt(change, attemptId, {
    endedReason: 'REFUNDED_LATE',
    errorDescription: refundedLate,
  });
  return true;
};

const refundedLate =
  'This was paid by card when the payment had ended another way. The money was returned to the card.';
const notRefundedLate =
  'This was paid by card when the payment had ended another way. It could not be returned by itself: ' +
  'the operator was told.';

const reasonOf = (outcome: Ended): string | null =>
  outcome.kind === 'FAILED' ? outcome.description : null;

const refused = (
  { paymentRequestId }: Payment,
  attempt: Attempt,
  outcome: Ended['kind'],
  reason: string | null,
): OperatorCase => ({
  kind: 'LATE_REFUND_REFUSED',
  subject: attempt.attemptId,
  description: 'A card payment that came too late could not be refunded: refund it by hand.',
  evidence: {
    paymentRequestId,
    amountPence: Number(totalPence(attempt)),
    outcome,
    reason,
  },
});
