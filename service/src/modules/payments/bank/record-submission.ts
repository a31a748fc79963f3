import type { Uses } from '#platform/tools.ts';
import type { SubmitOutcome } from '#rails/bank-rail.ts';
import { changePayment } from '../core/change-payment.ts';
import { moveAttempt, noteAttempt, recordPoll } from '../core/draft-change.ts';
import { emitOutcome } from '../core/emit-outcome.ts';
import { sealRailState } from '../core/open-rail-state.ts';
import type { Attempt, Payment } from '../core/payment.ts';
import { findAttempt } from '../core/payment.ts';
import { endIfExpired } from '../requests/end-if-expired.ts';
import { leaseNextPoll, scheduleNextPoll } from './lease-next-poll.ts';
import { nextResolveAt } from './next-poll-at.ts';
import { recordBankStatus } from './record-bank-status.ts';

type RecordTools = Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'> &
  Partial<Uses<'workAhead'>>;

/**
 * The outcome of a submission. An unknown outcome stays open and is polled. A refusal counts only
 * from the latest submission: the same order may have been sent again meanwhile, and been accepted.
 * `attemptRead` is the attempt as it was read before the call.
 */
export const recordSubmission = async (
  tools: RecordTools,
  payment: Payment,
  attemptRead: Attempt,
  outcome: SubmitOutcome,
): Promise<Payment> => {
  const { attemptId } = attemptRead;
  let isOwn = false;
  const { tenant, paymentRequestId } = payment;
  const after = await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    isOwn = false;
    const attempt = findAttempt(current, attemptId);
    if (attempt?.status !== 'PENDING' || attempt.step !== 'SUBMITTING') return false;
    if (outcome.kind === 'ACCEPTED') {
      noteAttempt(change, attemptId, {
        step: 'SUBMITTED',
        railStateEncrypted: sealRailState(tools.secrets, attemptId, outcome.state),
        bankPaymentReference: outcome.paymentReference ?? null,
      });
      recordBankStatus(tools, current, change, attempt, outcome.status);
      isOwn = leaseNextPoll(tools, change, attemptId);
    } else if (attempt.pollCount !== attemptRead.pollCount) {
      return false;
    } else if (outcome.kind === 'REFUSED') {
      moveAttempt(change, attemptId, 'rejected', {
        step: 'ENDED',
        pollBusinessAt: null,
        errorCode: outcome.code,
        errorDescription: outcome.description,
      });
      emitOutcome(tools, change, attemptId);
      endIfExpired(tools, change);
    } else {
      const since = attempt.submittedAt ?? current.now;
      recordPoll(change, attemptId, {
        pollCount: attempt.pollCount + 1,
        pollBusinessAt: nextResolveAt(since, current.now),
      });
    }
    return true;
  });
  if (isOwn) scheduleNextPoll(tools, after, attemptId);
  return after;
};
