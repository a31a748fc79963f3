import type { SubmitOutcome } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import type { BankAnswer } from '../bank/call-bank.ts';
import { callBank } from '../bank/call-bank.ts';
import { classifyRefusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import type { RailState } from '../bank/rail-state.ts';
import { writeRailState } from '../bank/rail-state.ts';
import { readPaymentAnswer } from './read-payment-answer.ts';

// The standard requires a client to wait a second before it repeats an idempotent message.
const repeatAfterMs = 1_000;

/** Sends the payment: the same bytes under the same key, however often this is called. */
export const submit = async (bank: Bank, state: RailState): Promise<SubmitOutcome> => {
  if (!state.access) return unknown('There is no token to pay with.');
  const first = await send(bank, state, state.access.token);
  const isRefusedToken = first.kind === 'ANSWER' && first.status === 401;
  if (!isRefusedToken) return classifySubmission(bank, state, first);
  // 401 means that the bank did not read the payment; it is sent once more, then left to the
  // resolver.
  await bank.tools.clock.sleep(repeatAfterMs);
  return classifySubmission(bank, state, await send(bank, state, state.access.token));
};

export const send = (bank: Bank, state: RailState, token: string): Promise<BankAnswer> =>
  callBank(
    bank,
    {
      operation: 'submit payment',
      path: '/domestic-payments',
      interactionId: state.interactionId,
      payerAddress: state.payerAddress,
      payerUserAgent: state.payerUserAgent,
      submission: { body: state.body, idempotencyKey: state.idempotencyKey },
    },
    token,
  );

export const classifySubmission = (
  bank: Bank,
  state: RailState,
  answer: BankAnswer,
): SubmitOutcome => {
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status >= 300) return classifyRefusal(bank, answer);
  const payment = readPaymentAnswer(bank, state, answer.body);
  if (!payment) return unknown('The answer of the bank is not this payment.');
  const { access: _spent, ...rest } = state;
  const paid: RailState = { ...rest, paymentId: payment.paymentId };
  return {
    kind: 'ACCEPTED',
    state: writeRailState(paid),
    status: payment.status,
    ...(bank.profile.eventsUrl !== undefined && { paymentReference: payment.paymentId }),
  };
};
