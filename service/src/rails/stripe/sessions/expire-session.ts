import type { CardOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import type { PaymentState } from '../account/rail-state.ts';
import { unanswered, unknown } from '../account/unknown.ts';
import { classifySession, readSession, sessionParts } from './read-session.ts';

/** Either the page is closed permanently, or the payment on it counts. */
export const expireSession = async (
  account: Account,
  state: PaymentState,
): Promise<CardOutcome> => {
  if (state.kind !== 'SESSION') return unknown('This payment was not made on a page.');
  const { sessionId, attemptId } = state;
  const call = { operation: 'expire session', subject: attemptId };
  // No fixed key: closing twice is harmless, and a refusal must not be played back for a day.
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.checkout.sessions.expire(
      sessionId,
      { expand: sessionParts },
      { idempotencyKey: `${attemptId}:expire:${account.tools.ids.token(80)}` },
    ),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  // Rejected: it was no longer open, because it was paid or closed meanwhile.
  if (answer.kind === 'REFUSED') return readSession(account, state);
  return classifySession(state, answer.value);
};
