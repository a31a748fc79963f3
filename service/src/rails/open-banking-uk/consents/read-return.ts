import type { JWTPayload } from 'jose';
import type { ReturnOutcome, ReturnParameters } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { faultName } from '../bank/call-bank.ts';
import { unanswered } from '../bank/classify-refusal.ts';
import { KeysUnavailable, verifyBankJwt } from '../bank/open-key-source.ts';
import { sentenceFor } from '../messages/bank-errors.ts';
import { isSameText } from './is-same-text.ts';
import { plainOauthCode } from './oauth-refusal-code.ts';

const responseLengthMax = 16_384;
const codeLengthMax = 4_096;

/** Reads a signed return (JARM). A return not signed by this bank for this payment is invalid. */
export const readReturn = async <State extends Awaiting>(
  bank: Bank,
  state: State,
  parameters: ReturnParameters,
  write: (state: State) => string,
): Promise<ReturnOutcome> => {
  const expectedState = state.authorisation?.oauthState;
  const response = Object.hasOwn(parameters, 'response') ? parameters.response : undefined;
  if (!expectedState) return invalid('Nothing waits for this return.');
  if (typeof response !== 'string' || response.length > responseLengthMax)
    return invalid('The return carries no signed response.');
  const claims = await verify(bank, state, response);
  if (claims === 'UNAVAILABLE') return unanswered('keys unavailable');
  if (!claims) return invalid('The response is not signed by this bank for us.');
  if (!isSameText(claims.state, expectedState))
    return invalid('The response belongs to another visit.');
  return readClaims(claims, write(state));
};

/** What waits for a return: a payment or a link to accounts. */
type Awaiting = {
  readonly interactionId: string;
  readonly authorisation?: { readonly oauthState: string };
};

const verify = async (
  bank: Bank,
  state: Awaiting,
  response: string,
): Promise<JWTPayload | null | 'UNAVAILABLE'> => {
  try {
    const { issuerKeys } = await bank.discovered.get();
    return await verifyBankJwt(response, {
      keys: issuerKeys,
      issuer: bank.profile.issuer,
      audience: bank.client.clientId,
      now: bank.tools.clock.now(),
    });
  } catch (error) {
    const why = error instanceof KeysUnavailable ? 'keys unavailable' : faultName(error);
    const line = { bank: bank.profile.id, operation: 'read return', why };
    bank.tools.log.warn({ ...line, interactionId: state.interactionId }, 'return not verified');
    return 'UNAVAILABLE';
  }
};

const readClaims = (claims: JWTPayload, state: string): ReturnOutcome => {
  const { error, code } = claims;
  if (typeof error === 'string') return declined(error, claims.error_description);
  if (typeof code !== 'string' || code === '' || code.length > codeLengthMax)
    return invalid('The response carries neither a code nor an error.');
  return { kind: 'AUTHORISED', code, state };
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
