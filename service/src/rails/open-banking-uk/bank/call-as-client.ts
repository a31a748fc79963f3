import type { Bank } from './bank.ts';
import type { BankAnswer, BankCall } from './call-bank.ts';
import { callBank, faultName } from './call-bank.ts';

/** `isSent` distinguishes a bank that was never reached from one whose answer is missing. */
export type ClientAnswer =
  | (BankAnswer & { readonly isSent: true })
  | { readonly kind: 'NOTHING'; readonly why: string; readonly isSent: false };

/**
 * With our own token. A refused token is dropped and the call repeated once with a new one: such
 * calls only read, or create a consent under its idempotency key.
 */
export const callAsClient = async (bank: Bank, call: BankCall): Promise<ClientAnswer> => {
  const first = await attempt(bank, call);
  if (first.answer.kind !== 'ANSWER' || first.answer.status !== 401 || !first.token)
    return first.answer;
  bank.clientToken.drop(first.token);
  return (await attempt(bank, call)).answer;
};

type Attempt = { readonly answer: ClientAnswer; readonly token?: string };

const attempt = async (bank: Bank, call: BankCall): Promise<Attempt> => {
  const { clock } = bank.tools;
  const startedAt = clock.now().getTime();
  let token: string;
  try {
    await bank.discovered.get();
    token = await bank.clientToken.get();
  } catch (error) {
    const why = faultName(error);
    if (!call.aside) bank.health.payments.record(false, clock.now().getTime() - startedAt);
    const line = { bank: bank.profile.id, operation: 'client token', why };
    bank.tools.log.warn({ ...line, interactionId: call.interactionId }, 'bank gave no token');
    return { answer: { kind: 'NOTHING', why, isSent: false } };
  }
  return { answer: { ...(await callBank(bank, call, token)), isSent: true }, token };
};
