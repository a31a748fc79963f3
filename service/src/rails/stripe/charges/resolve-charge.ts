import type Stripe from 'stripe';
import type { CardOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import { isKeyAlive, isSettled, isStill } from '../account/is-key-alive.ts';
import type { ChargeState, PaymentState } from '../account/rail-state.ts';
import { writeState } from '../account/rail-state.ts';
import { unknown } from '../account/unknown.ts';
import { classifyPayment } from '../outcomes/classify-payment.ts';
import { declineWithCode } from '../outcomes/decline.ts';
import { findCharge } from './find-charge.ts';
import { readPayment } from './read-payment.ts';
import type { Refused } from './send-charge.ts';
import { classifySent, failed, sendCharge } from './send-charge.ts';

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
