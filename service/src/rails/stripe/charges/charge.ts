import type Stripe from 'stripe';
import type { CardChargeOrder, CardOutcome } from '#rails/card-rail.ts';
import {
  type Account,
  type Answer,
  callProcessor,
  unanswered,
  unknown,
} from '../account/call-processor.ts';
import { type ChargeState, type PaymentState, writeState } from '../account/payment-state.ts';
import { isKeyAlive, isSettled, isStill } from '../account/read-account.ts';
import { classifyPayment, paymentParts } from '../outcomes/classify-payment.ts';
import { declineOf, declineWithCode } from '../outcomes/decline.ts';
import { findCharge, readPayment } from './read-payment.ts';

// An older preparation may have been sent by a dead worker: check before sending.
const freshForMs = 600_000;

export const prepareCharge = ({ tools }: Account, order: CardChargeOrder): string =>
  writeState({
    v: 1,
    kind: 'CHARGE',
    preparedAt: tools.clock.now().getTime(),
    attemptId: order.attemptId,
    paymentRequestId: order.paymentRequestId,
    amount: Number(order.amountPence),
    description: order.description,
    captureMethod: order.captureMethod,
    customerId: order.customerReference,
    cardId: order.cardReference,
    recurrenceType: order.recurrenceType,
    initiator: order.initiator,
    ...(order.initiator === 'CUSTOMER' && { returnUrl: order.returnUrl }),
  });

/** Charges the saved card: one payment per attempt, however often this is called. */
export const charge = async (account: Account, state: PaymentState): Promise<CardOutcome> => {
  if (state.kind !== 'CHARGE') return unknown('This payment is made on a page.');
  const ageMs = account.tools.clock.now().getTime() - state.preparedAt;
  if (state.paymentId || ageMs > freshForMs) return resolveCharge(account, state);
  const answer = await sendCharge(account, state);
  return answer.kind === 'REFUSED' ? failed(state, answer) : classifySent(state, answer);
};

/** The same parameters under the same key: the processor repeats its answer. */
const sendCharge = (account: Account, state: ChargeState): Promise<Answer<Stripe.PaymentIntent>> =>
  callProcessor(account, { operation: 'charge', subject: state.attemptId }, (stripe) =>
    stripe.paymentIntents.create(parametersOf(state), {
      idempotencyKey: `${state.attemptId}:charge`,
    }),
  );

const classifySent = (
  state: ChargeState,
  answer: Exclude<Answer<Stripe.PaymentIntent>, { kind: 'REFUSED' }>,
): CardOutcome =>
  answer.kind === 'ANSWER' ? classifyPayment(state, answer.value) : unanswered(answer.why);

type Refused = Extract<Answer<unknown>, { kind: 'REFUSED' }>;

/** Declined by the network, or rejected before that: either way nothing was charged. */
const failed = (state: ChargeState, { code, error }: Refused): CardOutcome => {
  const intent = error.payment_intent;
  if (intent?.status === 'requires_payment_method' && intent.last_payment_error)
    return classifyPayment(state, intent);
  const decline = declineOf({ ...error, code }, 'PROCESSOR_REFUSED');
  return { kind: 'FAILED', state: writeState(state), decline, payment: null };
};

const parametersOf = (state: ChargeState): Stripe.PaymentIntentCreateParams => ({
  amount: state.amount,
  currency: 'gbp',
  customer: state.customerId,
  payment_method: state.cardId,
  allowed_payment_method_types: ['card'],
  capture_method: state.captureMethod === 'MANUAL' ? 'manual' : 'automatic_async',
  confirm: true,
  description: state.description,
  metadata: { attemptId: state.attemptId, paymentRequestId: state.paymentRequestId },
  expand: paymentParts,
  ...(state.initiator === 'MERCHANT'
    ? {
        off_session: true,
        payment_method_options: { card: { stored_credential_usage: state.recurrenceType } },
      }
    : { return_url: state.returnUrl }),
});

/**
 * Resolves a charge with an unknown outcome: polls first, and sends again only when that cannot pay
 * twice.
 */
export const resolveCharge = async (
  account: Account,
  state: PaymentState,
): Promise<CardOutcome> => {
  if (state.paymentId || state.kind !== 'CHARGE') return readPayment(account, state);
  const found = await findCharge(account, state);
  if (found.kind === 'UNKNOWN') return found;
  if (found.kind === 'FOUND') return resolveFound(account, state, found.intent);
  const ageMs = ageOf(account, state);
  if (!isKeyAlive(ageMs))
    return isSettled(ageMs) ? notCharged(state) : unknown('The charge may still be on its way.');
  return sendAgain(account, state, ageMs);
};

/** The processor broke off between making the payment and asking the network. */
const resolveFound = async (
  account: Account,
  state: ChargeState,
  intent: Stripe.PaymentIntent,
): Promise<CardOutcome> => {
  const outcome = classifyPayment(state, intent);
  const isUnasked =
    intent.status === 'requires_confirmation' || intent.status === 'requires_payment_method';
  if (outcome.kind !== 'PENDING' || !isUnasked) return outcome;
  if (!isStill(ageOf(account, state))) return outcome;
  const answer = await callProcessor(
    account,
    { operation: 'end broken charge', subject: state.attemptId },
    (stripe) => stripe.paymentIntents.cancel(intent.id),
  );
  return answer.kind === 'ANSWER' && answer.value.status === 'canceled'
    ? notCharged(state)
    : unknown('A charge that was broken off could not be ended yet.');
};

const sendAgain = async (
  account: Account,
  state: ChargeState,
  ageMs: number,
): Promise<CardOutcome> => {
  const answer = await sendCharge(account, state);
  if (answer.kind === 'REFUSED') return refusedAgain(state, answer, ageMs);
  // A failure of the processor is repeated for a day: anything it created is in the list.
  const isOverAndDone = answer.kind === 'NOTHING' && answer.isReplayed && isStill(ageMs);
  if (!isOverAndDone) return classifySent(state, answer);
  const found = await findCharge(account, state);
  if (found.kind === 'UNKNOWN') return found;
  return found.kind === 'ABSENT' ? notCharged(state) : resolveFound(account, state, found.intent);
};

const refusedAgain = (state: ChargeState, refused: Refused, ageMs: number): CardOutcome => {
  const { status, code } = refused;
  // About our keys and not the charge: it shows nothing about requests under valid keys.
  if (status === 401 || status === 403)
    return unknown(`The card processor refuses our request (${code}).`);
  const isFinal = status === 402 || isStill(ageMs);
  return isFinal ? failed(state, refused) : unknown('The first charge may still be on its way.');
};

const notCharged = (state: ChargeState): CardOutcome => ({
  kind: 'FAILED',
  state: writeState(state),
  decline: declineWithCode('NOT_CHARGED'),
  payment: null,
});

const ageOf = ({ tools }: Account, { preparedAt }: ChargeState): number =>
  tools.clock.now().getTime() - preparedAt;
