import { type Change, moveAttempt } from './draft-change.ts';
import { type Attempt, isAtProcessor } from './payment.ts';

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
