import type { Bank } from '../bank/bank.ts';
import { callBank } from '../bank/call-bank.ts';
import type { RailState } from '../bank/rail-state.ts';
import type { FundsAnswer } from '../messages/codec.ts';

/** Asks whether the payer's account holds enough. Null: the bank did not say, which decides nothing. */
export const confirmFunds = async (
  bank: Bank,
  state: RailState,
  token: string,
): Promise<FundsAnswer | null> => {
  const answer = await callBank(
    bank,
    {
      operation: 'confirm funds',
      path: `/domestic-payment-consents/${encodeURIComponent(state.consentId)}/funds-confirmation`,
      interactionId: state.interactionId,
      payerAddress: state.payerAddress,
      payerUserAgent: state.payerUserAgent,
    },
    token,
  );
  return answer.kind === 'ANSWER' && answer.status === 200
    ? bank.codec.readFunds(answer.body)
    : null;
};
