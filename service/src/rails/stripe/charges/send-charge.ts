import type Stripe from 'stripe';
import type { CardOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import type { Answer } from '../account/call-processor.ts';
import { callProcessor } from '../account/call-processor.ts';
import type { ChargeState } from '../account/rail-state.ts';
import { writeState } from '../account/rail-state.ts';
import { unanswered } from '../account/unknown.ts';
import { classifyPayment, paymentParts } from '../outcomes/classify-payment.ts';
import { declineOf } from '../outcomes/decline.ts';

/** The same parameters under the same key: the processor repeats its answer. */
export const sendCharge = (
  account: Account,
  state: ChargeState,
): Promise<Answer<Stripe.PaymentIntent>> =>
  callProcessor(account, { operation: 'charge', subject: state.attemptId }, (stripe) =>
    stripe.paymentIntents.create(parametersOf(state), {
      idempotencyKey: `${state.attemptId}:charge`,
    }),
  );

export const classifySent = (
  state: ChargeState,
  answer: Exclude<Answer<Stripe.PaymentIntent>, { kind: 'REFUSED' }>,
): CardOutcome =>
  answer.kind === 'ANSWER' ? classifyPayment(state, answer.value) : unanswered(answer.why);

export type Refused = Extract<Answer<unknown>, { kind: 'REFUSED' }>;

/** Declined by the network, or rejected before that: either way nothing was charged. */
export const failed = (state: ChargeState, { code, error }: Refused): CardOutcome => {
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
