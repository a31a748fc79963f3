import type Stripe from 'stripe';
import type { Refusal } from '#rails/bank-rail.ts';
import type { CancelReason, CardOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import type { PaymentState } from '../account/rail-state.ts';
import { changePayment } from './change-payment.ts';
import { readPayment } from './read-payment.ts';

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
