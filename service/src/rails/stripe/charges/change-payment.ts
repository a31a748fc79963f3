import type Stripe from 'stripe';
import type { Refusal } from '#rails/bank-rail.ts';
import type { CancelReason, CardOutcome } from '#rails/card-rail.ts';
import { type Account, callProcessor, unanswered, unknown } from '../account/call-processor.ts';
import type { PaymentState } from '../account/payment-state.ts';
import { classifyPayment, paymentParts } from '../outcomes/classify-payment.ts';
import { readPayment } from './read-payment.ts';

type Change = {
  readonly operation: 'capture' | 'cancel';
  readonly send: (
    stripe: Stripe,
    paymentId: string,
    parameters: { readonly expand: string[] },
    options: Stripe.RequestOptions,
  ) => Promise<Stripe.Response<Stripe.PaymentIntent>>;
};

/**
 * A payment is captured or cancelled at most once, so each call has a key of its own: under a fixed
 * one an earlier failure or refusal would be repeated for a day.
 */
const changePayment = async (
  account: Account,
  state: PaymentState,
  { operation, send }: Change,
): Promise<CardOutcome | Refusal> => {
  const { attemptId, paymentId } = state;
  if (!paymentId) return unknown('The card processor has not shown this payment yet.');
  const idempotencyKey = `${attemptId}:${operation}:${account.tools.ids.token(80)}`;
  const answer = await callProcessor(account, { operation, subject: attemptId }, (stripe) =>
    send(stripe, paymentId, { expand: paymentParts }, { idempotencyKey }),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'ANSWER') return classifyPayment(state, answer.value);
  // Mostly because it ended differently meanwhile: the payment itself shows how.
  const truth = await readPayment(account, state);
  const isUnchanged = truth.kind === 'AUTHORIZED' || truth.kind === 'ACTION_REQUIRED';
  return isUnchanged
    ? { kind: 'REFUSED', code: answer.code, description: unchanged[operation] }
    : truth;
};

const unchanged = {
  capture: 'The card processor did not capture the payment: it is still only authorised.',
  cancel: 'The card processor did not release the payment: it is still open.',
} as const;

export const capture = (account: Account, state: PaymentState): Promise<CardOutcome | Refusal> =>
  changePayment(account, state, {
    operation: 'capture',
    send: (stripe, paymentId, parameters, options) =>
      stripe.paymentIntents.capture(paymentId, parameters, options),
  });

export const resolveCapture = async (
  account: Account,
  state: PaymentState,
): Promise<CardOutcome | Refusal> => {
  const outcome = await readPayment(account, state);
  return outcome.kind === 'AUTHORIZED' ? capture(account, state) : outcome;
};

type StripeReason = Stripe.PaymentIntentCancelParams.CancellationReason;

// The processor has no value for "other"; the merchant's own text stays with us.
const reasons: Readonly<Record<CancelReason, StripeReason | null>> = {
  Duplicate: 'duplicate',
  Abandoned: 'abandoned',
  'Requested by customer': 'requested_by_customer',
  Other: null,
  SUPERSEDED: 'abandoned',
  EXPIRED: 'abandoned',
};

export const cancel = (
  account: Account,
  state: PaymentState,
  reason: CancelReason,
): Promise<CardOutcome | Refusal> => {
  const word = reasons[reason];
  return changePayment(account, state, {
    operation: 'cancel',
    send: (stripe, paymentId, parameters, options) =>
      stripe.paymentIntents.cancel(
        paymentId,
        { ...parameters, ...(word && { cancellation_reason: word }) },
        options,
      ),
  });
};

export const resolveCancel = async (
  account: Account,
  state: PaymentState,
  reason: CancelReason,
): Promise<CardOutcome | Refusal> => {
  const outcome = await readPayment(account, state);
  const isOpen = outcome.kind === 'AUTHORIZED' || outcome.kind === 'ACTION_REQUIRED';
  return isOpen ? cancel(account, state, reason) : outcome;
};
