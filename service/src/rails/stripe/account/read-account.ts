import type { CardAccountOutcome } from '#rails/card-rail.ts';
import { type Account, callProcessor, unanswered } from './call-processor.ts';

export const readAccount = async (account: Account): Promise<CardAccountOutcome> => {
  const call = { operation: 'read account', subject: 'own' };
  const answer = await callProcessor(account, call, (stripe) => stripe.accounts.retrieveCurrent());
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'ANSWER') return { kind: 'ACCOUNT', accountKey: answer.value.id };
  return { kind: 'REFUSED', code: answer.code, description: notAccepted };
};

const notAccepted =
  'The card processor does not let this key read its own account: the key is wrong or too restricted.';

const hourMs = 3_600_000;

// The processor keeps a key for 24 hours at least; an hour is left for clocks that disagree.
const keyLivesForMs = 23 * hourMs;
// No request of ours is still on its way or at work after this.
const stillAfterMs = 600_000;

export const isKeyAlive = (ageMs: number): boolean => ageMs <= keyLivesForMs;

/** Nothing that was sent at first is at work any more. */
export const isStill = (ageMs: number): boolean => ageMs > stillAfterMs;

/** Nothing that was sent while the key lived is at work any more. */
export const isSettled = (ageMs: number): boolean => ageMs > keyLivesForMs + stillAfterMs;
