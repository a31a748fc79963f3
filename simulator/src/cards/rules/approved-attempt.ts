import type { Attempt, IntentRecord } from '../model.ts';

export const approvedAttempt = (intent: IntentRecord): Attempt | undefined => {
  const last = intent.attempts.at(-1);
  return last?.declineCode === null ? last : undefined;
};
