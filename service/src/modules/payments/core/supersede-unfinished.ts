import { type Change, moveAttempt } from './change-payment.ts';
import { type Attempt, decidingAttempt, isAtProcessor, noShare, type Payment } from './payment.ts';
import { isCounted, isTry } from './payment-lifecycles.ts';

/** Ends unfinished starts: their codes will never be exchanged (BANK-3). */
export const supersedeUnfinished = (
  change: Change,
  isMeant: (attempt: Attempt) => boolean,
): void => {
  for (const attempt of change.payment.attempts)
    if (attempt.status === 'AWAITING_AUTHORIZATION' && !isAtProcessor(attempt) && isMeant(attempt))
      moveAttempt(change, attempt.attemptId, 'superseded', {
        step: 'ENDED',
        endedReason: 'SUPERSEDED',
      });
};

/** Pays the same: any other of a request that is not split, of a split one those of the same payer. */
export const isAlternativeTo =
  ({ attemptId, shareId, applicationUserId }: Attempt) =>
  (other: Attempt): boolean =>
    other.attemptId !== attemptId &&
    (other.shareId === shareId ||
      (applicationUserId !== null && other.applicationUserId === applicationUserId));

/**
 * The attempt whose outcome a reader is told who asks for this one: a client that started again may hold
 * the id of a start that another superseded (BANK-3).
 */
export const standingAttempt = (payment: Payment, attempt: Attempt): Attempt => {
  if (attempt.status !== 'CANCELLED' || isTry(attempt)) return attempt;
  const isSuperseded = attempt.endedReason === 'SUPERSEDED';
  if (!isSuperseded && attempt.shareId !== noShare) return attempt;
  const isAlternative = isAlternativeTo(attempt);
  const attempts = payment.attempts.filter(
    (other) => isAlternative(other) && !isOfEarlierShare(other, attempt),
  );
  const standing = decidingAttempt({ attempts });
  return standing && (isSuperseded || isCounted(standing)) ? standing : attempt;
};

/** A payer of a split bill may have paid another share before this one. */
const isOfEarlierShare = (other: Attempt, { shareId, createdAt }: Attempt): boolean =>
  shareId !== noShare && (other.submittedAt ?? other.updatedAt) < createdAt;
