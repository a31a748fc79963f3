import type Stripe from 'stripe';
import type { CardOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import type { PaymentState, SessionState } from '../account/rail-state.ts';
import { writeState } from '../account/rail-state.ts';
import { notOurs, unanswered, unknown } from '../account/unknown.ts';
import { classifyPayment, lastDeclineOf } from '../outcomes/classify-payment.ts';

export const readSession = async (account: Account, state: PaymentState): Promise<CardOutcome> => {
  if (state.kind !== 'SESSION') return unknown('This payment was not made on a page.');
  const call = { operation: 'read session', subject: state.attemptId };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.checkout.sessions.retrieve(state.sessionId, { expand: sessionParts }),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED')
    return unknown(`The card processor does not show the page (${answer.code}).`);
  return classifySession(state, answer.value);
};

/** The outcome of a page: its payment decides; without one, whether the payer can still pay. */
export const classifySession = (
  state: SessionState,
  session: Stripe.Checkout.Session,
): CardOutcome => {
  if (session.id !== state.sessionId || session.metadata?.attemptId !== state.attemptId)
    return notOurs;
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null;
  const outcome = intent ? classifyPayment(state, intent) : null;
  if (outcome && outcome.kind !== 'PENDING') return outcome;
  const isStillPaying = intent?.status === 'processing' || intent?.status === 'requires_action';
  const { paymentId: _unsettled, ...unpaid } = state;
  if (session.status === 'expired' && !isStillPaying)
    return {
      kind: 'CANCELLED',
      state: writeState(state),
      reason: 'SESSION_EXPIRED',
      lastDecline: intent && lastDeclineOf(intent),
    };
  return {
    kind: 'PENDING',
    state: writeState(unpaid),
    lastDecline: intent && lastDeclineOf(intent),
    ...(session.status === 'open' && session.url && { pageUrl: session.url }),
  };
};

export const sessionParts = ['payment_intent.latest_charge'];
