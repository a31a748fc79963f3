import type { PaymentOutcome } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { callAsClient } from '../bank/call-as-client.ts';
import { unanswered, unknown } from '../bank/classify-refusal.ts';
import type { RailState } from '../bank/rail-state.ts';
import { writeRailState } from '../bank/rail-state.ts';
import { readPaymentAnswer } from './read-payment-answer.ts';

/** Polls the bank for the payment, without the payer. */
export const readPayment = async (bank: Bank, state: RailState): Promise<PaymentOutcome> => {
  if (!state.paymentId) return unknown('There is no payment to read yet.');
  const answer = await callAsClient(bank, {
    operation: 'read payment',
    path: `/domestic-payments/${encodeURIComponent(state.paymentId)}`,
    interactionId: state.interactionId,
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status >= 300) return unknown(`The bank answered with status ${answer.status}.`);
  const payment = readPaymentAnswer(bank, state, answer.body);
  if (!payment) return unknown('The answer of the bank is not this payment.');
  return { kind: 'STATUS', state: writeRailState(state), status: payment.status };
};
