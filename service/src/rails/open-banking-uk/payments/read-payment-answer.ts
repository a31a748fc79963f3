import type { BankStatus } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { plainCode } from '../bank/classify-refusal.ts';
import type { RailState } from '../bank/rail-state.ts';
import { sentenceFor } from '../messages/bank-errors.ts';
import type { PaymentAnswer } from '../messages/codec.ts';
import { isFailedStatus } from '../messages/payment-status.ts';

/** Null for anything that is not an answer about exactly this payment. */
export const readPaymentAnswer = (
  bank: Bank,
  state: RailState,
  body: unknown,
): { readonly paymentId: string; readonly status: BankStatus } | null => {
  const answer = bank.codec.readPayment(body);
  if (!answer) return null;
  const fault = findFault(answer, state);
  if (!fault) return { paymentId: answer.paymentId, status: statusOf(answer) };
  const line = { bank: bank.profile.id, operation: 'read answer', why: fault };
  bank.tools.log.error({ ...line, interactionId: state.interactionId }, 'bank answered another');
  return null;
};

const findFault = (answer: PaymentAnswer, state: RailState): string | null => {
  if (answer.consentId && answer.consentId !== state.consentId) return 'another consent';
  if (answer.amount && answer.amount !== state.amount) return 'another amount';
  if (state.paymentId && answer.paymentId !== state.paymentId) return 'another payment';
  return null;
};

const statusOf = (answer: PaymentAnswer): BankStatus => {
  const { status, changedAt, payer } = answer;
  const failure = isFailedStatus(status.isoCode) ? failureOf(answer) : {};
  return { ...status, changedAt, ...failure, ...(payer && { payer }) };
};

const failureOf = (answer: PaymentAnswer): Pick<BankStatus, 'errorCode' | 'errorDescription'> => {
  const code = answer.reasonCode ?? answer.status.isoCode;
  return { errorCode: plainCode(code), errorDescription: sentenceFor(code) };
};
