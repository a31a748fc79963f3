import type { Refusal } from '#rails/bank-rail.ts';
import type { CardOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import type { PaymentState } from '../account/rail-state.ts';
import { changePayment } from './change-payment.ts';
import { readPayment } from './read-payment.ts';

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
