import type { Uses } from '#platform/tools.ts';
import { changePayment } from '../core/change-payment.ts';
import { type Change, moveAttempt, noteAttempt } from '../core/draft-change.ts';
import { emitOutcome } from '../core/emit-outcome.ts';
import { sealRailState } from '../core/open-rail-state.ts';
import {
  type Attempt,
  findAttempt,
  isPastExpiry,
  leaseFor,
  type Payment,
} from '../core/payment.ts';

const exchangeLeaseMs = 60_000;
const firstPollMs = 30_000;

type ClaimTools = Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>;

export type Claim =
  | { readonly kind: 'CLAIMED'; readonly payment: Payment; readonly attempt: Attempt }
  | { readonly kind: 'TOO_LATE'; readonly payment: Payment };

/**
 * From here on money may move. Body, idempotency key and token are committed before the bank hears of
 * them, and the index of submitted attempts lets one attempt through (BANK-2, BANK-7).
 */
export const claimSubmission = (
  tools: ClaimTools,
  payment: Payment,
  attemptId: string,
  state: string,
): Promise<Claim> =>
  claim(tools, payment, attemptId, 'EXCHANGING', (change) => {
    const { now } = change.payment;
    moveAttempt(change, attemptId, 'submitted', {
      step: 'SUBMITTING',
      railStateEncrypted: sealRailState(tools.secrets, attemptId, state),
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
  take: (change: Change) => void,
): Promise<Claim> => {
  let isClaimed = false;
  const { tenant, paymentRequestId } = payment;
  const after = await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    isClaimed = mayGoOn(current, attemptId, step);
    if (isClaimed) take(change);
    return isClaimed;
  });
  const attempt = findAttempt(after, attemptId);
  return isClaimed && attempt
    ? { kind: 'CLAIMED', payment: after, attempt }
    : { kind: 'TOO_LATE', payment: after };
};

const mayGoOn = (payment: Payment, attemptId: string, step: Attempt['step']): boolean => {
  const attempt = findAttempt(payment, attemptId);
  if (attempt?.status !== 'AWAITING_AUTHORIZATION' || attempt.step !== step) return false;
  if (payment.status !== 'OPEN') return false;
  return !(payment.strictExpiry && isPastExpiry(payment));
};

/** One return of the payer exchanges the code; a second one, or a poll, finds it taken. */
export const claimExchange = (
  tools: ClaimTools,
  payment: Payment,
  attemptId: string,
  state: string,
): Promise<Claim> =>
  claim(tools, payment, attemptId, 'AT_BANK', (change) => {
    noteAttempt(change, attemptId, {
      step: 'EXCHANGING',
      railStateEncrypted: sealRailState(tools.secrets, attemptId, state),
      leasedUntil: leaseFor(change.payment, exchangeLeaseMs),
    });
  });
