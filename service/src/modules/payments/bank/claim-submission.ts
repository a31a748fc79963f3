import type { Uses } from '#platform/tools.ts';
import type { ExchangeOutcome } from '#rails/bank-rail.ts';
import { changePayment } from '../core/change-payment.ts';
import { type Change, moveAttempt, noteAttempt, noteHistory } from '../core/draft-change.ts';
import { emitOutcome } from '../core/emit-outcome.ts';
import { sealRailState } from '../core/open-rail-state.ts';
import { type Attempt, findAttempt, leaseFor, type Payment } from '../core/payment.ts';
import { isAlternativeTo, supersedeUnfinished } from '../core/supersede-unfinished.ts';
import { endTooLate, whyTooLate } from './end-too-late.ts';

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
  take: (change: Change, attempt: Attempt) => void,
): Promise<Claim> => {
  let isClaimed = false;
  const { tenant, paymentRequestId } = payment;
  const after = await changePayment(tools, tenant, paymentRequestId, (current, change) => {
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
      railStateEncrypted: sealRailState(tools.secrets, attemptId, state),
      leasedUntil: leaseFor(change.payment, exchangeLeaseMs),
    });
  });
