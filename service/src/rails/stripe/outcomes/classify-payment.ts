import type Stripe from 'stripe';
import { pence } from '#kernel/pence.ts';
import type { Authentication, CardOutcome, CardPayment, Decline } from '#rails/card-rail.ts';
import { notOurs, plainId, processorId, unknown } from '../account/call-processor.ts';
import { type PaymentState, writeState } from '../account/payment-state.ts';
import { cardFactsOfCharge, cardFactsOfMethod, estimateExpiry } from './card-facts.ts';
import { declineOf } from './decline.ts';

/** The meaning of a processor's payment for its attempt. */
export const classifyPayment = (state: PaymentState, intent: Stripe.PaymentIntent): CardOutcome => {
  if (!isOurs(state, intent)) return notOurs;
  const charge = chargeOf(intent);
  const known = writeState({ ...state, paymentId: intent.id });
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'COMPLETED', state: known, payment: paymentOf(intent, charge) };
    case 'requires_capture':
      return authorised(state, known, intent, charge);
    case 'canceled':
      return {
        kind: 'CANCELLED',
        state: known,
        reason: cancelledReason(intent, charge),
        lastDecline: lastDeclineOf(intent),
      };
    case 'requires_action':
      return awaitingPayer(state, known, intent);
    case 'requires_payment_method':
      return withoutCard(state, known, intent, charge);
    default:
      return { kind: 'PENDING', state: known, lastDecline: null };
  }
};

export const lastDeclineOf = (intent: Stripe.PaymentIntent): Decline | null =>
  intent.last_payment_error ? declineOf(intent.last_payment_error) : null;

const paymentOf = (intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): CardPayment => ({
  reference: intent.id,
  amountPence: pence(intent.status === 'succeeded' ? intent.amount_received : intent.amount),
  networkTransactionId: plainId(charge?.payment_method_details?.card?.network_transaction_id),
  card:
    (charge && cardFactsOfCharge(charge)) ??
    cardFactsOfMethod(intent.last_payment_error?.payment_method),
  authentication: authenticationOf(charge),
  savedCardReference: savedCardOf(intent, charge),
  at: charge ? new Date(charge.created * 1000) : null,
});

const isOurs = (state: PaymentState, intent: Stripe.PaymentIntent): boolean =>
  intent.metadata?.attemptId === state.attemptId &&
  intent.amount === state.amount &&
  intent.currency === 'gbp' &&
  (state.paymentId === undefined || state.paymentId === intent.id);

const chargeOf = (intent: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof intent.latest_charge === 'object' ? intent.latest_charge : null;

const savedCardOf = (intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): string | null => {
  const isSaved = intent.setup_future_usage === 'off_session' && charge?.status === 'succeeded';
  return isSaved ? processorId(charge.payment_method) : null;
};

const authorised = (
  { initiator }: PaymentState,
  state: string,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge | null,
): CardOutcome => {
  if (!charge) return unknown('The card processor does not show what it authorised.');
  const payment = paymentOf(intent, charge);
  const captureBefore = charge.payment_method_details?.card?.capture_before;
  const at = new Date(charge.created * 1000);
  return {
    kind: 'AUTHORIZED',
    state,
    payment,
    expiresAt: captureBefore
      ? new Date(captureBefore * 1000)
      : estimateExpiry(payment.card?.brand ?? '', initiator, at),
    expirySource: captureBefore ? 'PROCESSOR' : 'TABLE',
  };
};

const awaitingPayer = (
  { kind }: PaymentState,
  state: string,
  { next_action: action }: Stripe.PaymentIntent,
): CardOutcome => {
  const url = action?.type === 'redirect_to_url' ? action.redirect_to_url?.url : null;
  // On the processor's page, the page itself leads the payer through it.
  if (kind === 'SESSION' || !url) return { kind: 'PENDING', state, lastDecline: null };
  return { kind: 'ACTION_REQUIRED', state, url };
};

const withoutCard = (
  { kind }: PaymentState,
  state: string,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge | null,
): CardOutcome => {
  const decline = lastDeclineOf(intent);
  // The page accepts another card; a charge of a saved card has had its only attempt.
  if (kind === 'SESSION' || !decline) return { kind: 'PENDING', state, lastDecline: decline };
  return { kind: 'FAILED', state, decline, payment: paymentOf(intent, charge) };
};

const cancelledReason = (
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge | null,
): 'AUTHORISATION_EXPIRED' | 'SESSION_EXPIRED' | 'CANCELLED' => {
  const reason = intent.cancellation_reason;
  if (reason !== 'automatic' && reason !== 'expired') return 'CANCELLED';
  const wasAuthorised = charge?.status === 'succeeded';
  return wasAuthorised || reason === 'automatic' ? 'AUTHORISATION_EXPIRED' : 'SESSION_EXPIRED';
};

export const paymentParts = ['latest_charge'];

const none: Authentication = {
  hasHappened: false,
  result: null,
  flow: null,
  version: null,
  eci: null,
  dsTransId: null,
  at: null,
};

/** The proof for later charges off session: stored with the card, word for word. */
const authenticationOf = (charge: Stripe.Charge | null): Authentication => {
  const proof = charge?.payment_method_details?.card?.three_d_secure;
  if (!charge || !proof) return none;
  const flow: string | null = proof.authentication_flow;
  return {
    hasHappened: proof.result === 'authenticated',
    result: plainId(proof.result),
    flow: flow === 'challenge' || flow === 'frictionless' ? flow : null,
    version: plainId(proof.version),
    eci: plainId(proof.electronic_commerce_indicator),
    dsTransId: plainId(proof.transaction_id),
    at: new Date(charge.created * 1000),
  };
};
