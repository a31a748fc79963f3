import type { Ids } from '#platform/ids.ts';
import { isCounted } from '../core/attempt-lifecycle.ts';
import { type Change, moveAttempt } from '../core/draft-change.ts';
import { availableFor } from '../core/find-share.ts';
import { hasNoTryLeft } from '../core/new-attempt.ts';
import { type Attempt, isHeldByBank, isPastExpiry, type Payment } from '../core/payment.ts';
import { isAlternativeTo } from '../core/supersede-unfinished.ts';
import { endIfExpired } from '../requests/end-if-expired.ts';

type TooLate = 'APPROVED_TOO_LATE' | 'SHARE_TAKEN';

/** Approved too late: the consent is never used, so no money moves. */
export const endTooLate = (
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
export const whyTooLate = (payment: Payment, attempt: Attempt): TooLate | null => {
  if (payment.splitsBill && payment.status === 'PAID') return 'SHARE_TAKEN';
  if (payment.status !== 'OPEN' || hasNoTryLeft(payment)) return 'APPROVED_TOO_LATE';
  if (payment.strictExpiry && isPastExpiry(payment)) return 'APPROVED_TOO_LATE';
  if (payment.splitsBill)
    return availableFor(payment, attempt) < attempt.amountPence ? 'SHARE_TAKEN' : null;
  const isOther = isAlternativeTo(attempt);
  const isTaken = payment.attempts.some(
    (other) => isOther(other) && (isCounted(other) || isHeldByBank(other)),
  );
  return isTaken ? 'APPROVED_TOO_LATE' : null;
};
