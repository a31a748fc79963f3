import type { ReturnOutcome, ReturnParameters } from '#rails/bank-rail.ts';
import type { Authorisation, Bank, Visit, VisitAnswer } from '../bank/bank.ts';
import { faultName } from '../bank/call-bank.ts';
import { unanswered } from '../bank/classify-refusal.ts';
import { KeysUnavailable } from '../bank/open-key-source.ts';
import { sentenceFor } from '../messages/bank-errors.ts';
import { plainOauthCode } from './oauth-refusal-code.ts';

/** What waits for a return: a payment or a bank link. */
type Awaiting = Omit<Visit, 'authorisation'> & { readonly authorisation?: Authorisation };

/** A return that is not from this bank for this very visit is invalid, whatever else it says. */
export const readReturn = async <State extends Awaiting>(
  bank: Bank,
  state: State,
  parameters: ReturnParameters,
  write: (state: State) => string,
): Promise<ReturnOutcome> => {
  const { authorisation } = state;
  if (!authorisation) return invalid('Nothing waits for this return.');
  const answer = await read(bank, { ...state, authorisation }, parameters);
  switch (answer.kind) {
    case 'CODE':
      return { kind: 'AUTHORISED', code: answer.code, state: write(state) };
    case 'ERROR':
      return declined(answer.error, answer.text);
    case 'INVALID':
      return invalid(answer.why);
    case 'UNAVAILABLE':
      return unanswered('keys unavailable');
  }
};

const read = async (
  bank: Bank,
  visit: Visit,
  parameters: ReturnParameters,
): Promise<VisitAnswer> => {
  try {
    return await bank.readAnswer(bank, visit, parameters);
  } catch (error) {
    const why = error instanceof KeysUnavailable ? 'keys unavailable' : faultName(error);
    const line = { bank: bank.profile.id, operation: 'read return', why };
    bank.tools.log.warn({ ...line, interactionId: visit.interactionId }, 'return not verified');
    return { kind: 'UNAVAILABLE' };
  }
};

const declined = (error: string, text: unknown): ReturnOutcome => {
  // Version 4 puts a code of the standard into the text; the text itself is never shown.
  const reason = typeof text === 'string' ? /\b(?:U0\d\d|[A-Z]{2}\d\d)\b/.exec(text)?.[0] : null;
  const code = reason ?? plainOauthCode(error);
  return {
    kind: 'DECLINED',
    byPayer: error === 'access_denied',
    code,
    description: sentenceFor(code),
  };
};

const invalid = (description: string): ReturnOutcome => ({ kind: 'INVALID', description });
