import type { Ids } from '#platform/clock.ts';
import type { Uses } from '#platform/tools.ts';
import type { ExchangeOutcome, SubmitOutcome } from '#rails/bank-rail.ts';
import {
  type Change,
  changeLoaded,
  moveAttempt,
  noteAttempt,
  noteHistory,
  recordPoll,
} from '../core/change-payment.ts';
import { emitOutcome } from '../core/emit-outcome.ts';
import { encryptRailState, reencryptRailState } from '../core/encrypted-columns.ts';
import {
  type Attempt,
  findAttempt,
  hasOrMayGetMoney,
  isPastExpiry,
  leaseFor,
  type Payment,
} from '../core/payment.ts';
import { availableFor } from '../core/shares.ts';
import { hasNoTryLeft } from '../core/start-attempt.ts';
import { isAlternativeTo, supersedeUnfinished } from '../core/supersede-unfinished.ts';
import { endIfExpired } from '../requests/end-request.ts';
import { applyBankStatus } from './outcomes.ts';
import { nextResolveAt } from './plan-polls.ts';

type TooLate = 'APPROVED_TOO_LATE' | 'SHARE_TAKEN';

/** Approved too late: the consent is never used, so no money moves. */
const endTooLate = (
  tools: { readonly ids: Ids },
  change: Change,
  { attemptId }: Attempt,
  why: TooLate,
): void => {
  moveAttempt(change, attemptId, why === 'SHARE_TAKEN' ? 'superseded' : 'abandoned', {
    step: 'ENDED',
    endedReason: why,
    errorCode: why,
    errorDescription: descriptions[why],
  });
  endIfExpired(tools, change);
};

const descriptions = {
  APPROVED_TOO_LATE: 'The payment was approved too late. No money has moved.',
  SHARE_TAKEN: 'Somebody else paid this part of the bill first. No money has moved.',
} as const satisfies Record<TooLate, string>;

/** Why an approved payment may not be handed to its bank any more, or null (BANK-2, SPLIT-2). */
const whyTooLate = (payment: Payment, attempt: Attempt): TooLate | null => {
  if (payment.splitsBill && payment.status === 'PAID') return 'SHARE_TAKEN';
  if (payment.status !== 'OPEN' || hasNoTryLeft(payment)) return 'APPROVED_TOO_LATE';
  if (payment.strictExpiry && isPastExpiry(payment)) return 'APPROVED_TOO_LATE';
  if (payment.splitsBill)
    return availableFor(payment, attempt) < attempt.amountPence ? 'SHARE_TAKEN' : null;
  const isOther = isAlternativeTo(attempt);
  const isTaken = payment.attempts.some((other) => isOther(other) && hasOrMayGetMoney(other));
  return isTaken ? 'APPROVED_TOO_LATE' : null;
};

const exchangeLeaseMs = 60_000;
const firstPollMs = 30_000;

type Exchanged = Pick<
  Extract<ExchangeOutcome, { readonly kind: 'EXCHANGED' }>,
  'state' | 'fundsConfirmedAt'
>;

type ClaimTools = Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>;

export type Claim =
  | { readonly kind: 'CLAIMED'; readonly payment: Payment; readonly attempt: Attempt }
  | { readonly kind: 'TOO_LATE'; readonly payment: Payment };
/**
 * From here on money may move. Body, idempotency key and token are committed before the call to the
 * bank, and the index of submitted attempts admits one attempt (BANK-2, BANK-7).
 */
export const claimSubmission = (
  tools: ClaimTools,
  payment: Payment,
  attemptId: string,
  { state, fundsConfirmedAt }: Exchanged,
): Promise<Claim> =>
  claim(tools, payment, attemptId, 'EXCHANGING', (change, attempt) => {
    const { now } = change.payment;
    if (fundsConfirmedAt)
      noteHistory(change, attempt, 'fundsConfirmed', fundsConfirmedAt.toISOString());
    supersedeUnfinished(change, isAlternativeTo(attempt));
    moveAttempt(change, attemptId, 'submitted', {
      step: 'SUBMITTING',
      railStateEncrypted: encryptRailState(tools.secrets, attemptId, state),
      submittedAt: now,
      pollBusinessAt: new Date(now.getTime() + firstPollMs),
    });
    emitOutcome(tools, change, attemptId);
  });

const claim = async (
  tools: ClaimTools,
  payment: Payment,
  attemptId: string,
  step: Attempt['step'],
  take: (change: Change, attempt: Attempt) => void,
): Promise<Claim> => {
  let isClaimed = false;
  const after = await changeLoaded(tools, payment, (current, change) => {
    isClaimed = false;
    const found = findAttempt(current, attemptId);
    if (found?.status !== 'AWAITING_AUTHORIZATION' || found.step !== step) return false;
    const late = whyTooLate(current, found);
    if (late) {
      endTooLate(tools, change, found, late);
      return true;
    }
    isClaimed = true;
    take(change, found);
    return true;
  });
  const attempt = findAttempt(after, attemptId);
  return isClaimed && attempt
    ? { kind: 'CLAIMED', payment: after, attempt }
    : { kind: 'TOO_LATE', payment: after };
};

/**
 * One return of the payer exchanges the code; a second one, or a poll, finds it taken. What was started
 * earlier can no longer be approved (BANK-3).
 */
export const claimExchange = (
  tools: ClaimTools,
  payment: Payment,
  attemptId: string,
  state: string,
): Promise<Claim> =>
  claim(tools, payment, attemptId, 'AT_BANK', (change, attempt) => {
    const isAlternative = isAlternativeTo(attempt);
    supersedeUnfinished(
      change,
      (other) =>
        isAlternative(other) && other.position < attempt.position && other.step !== 'EXCHANGING',
    );
    noteAttempt(change, attemptId, {
      step: 'EXCHANGING',
      railStateEncrypted: reencryptRailState(tools.secrets, attempt, state),
      leasedUntil: leaseFor(change.payment, exchangeLeaseMs),
    });
  });

/**
 * The outcome of a submission. An unknown outcome stays open and is polled. A refusal counts only
 * from the latest submission: the same order may have been sent again meanwhile, and been accepted.
 * `attemptRead` is the attempt as it was read before the call.
 */
export const recordSubmission = (
  tools: ClaimTools,
  payment: Payment,
  attemptRead: Attempt,
  outcome: SubmitOutcome,
): Promise<Payment> => {
  const { attemptId } = attemptRead;
  return changeLoaded(tools, payment, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (attempt?.status !== 'PENDING' || attempt.step !== 'SUBMITTING') return false;
    if (outcome.kind === 'ACCEPTED') {
      noteAttempt(change, attemptId, {
        step: 'SUBMITTED',
        railStateEncrypted: encryptRailState(tools.secrets, attemptId, outcome.state),
        bankPaymentReference: outcome.paymentReference ?? null,
      });
      applyBankStatus(tools, current, change, attempt, outcome.status);
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
};
