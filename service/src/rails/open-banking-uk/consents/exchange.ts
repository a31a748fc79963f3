import { genericGrantRequest } from 'openid-client';
import type { ExchangeOutcome } from '#rails/bank-rail.ts';
import type { AuthorisationRequest, Bank } from '../bank/bank.ts';
import { callBank, faultName, refusal, unanswered, unknown } from '../bank/call-bank.ts';
import { type RailState, writeRailState } from '../bank/rail-state.ts';
import type { FundsAnswer } from '../messages/codec.ts';
import { checkIdToken } from './check-id-token.ts';
import { oauthRefusalCode } from './read-return.ts';

/** The payer's code for a token that pays this one consent. No money moves here. */
export const exchange = async (
  bank: Bank,
  state: RailState,
  code: string,
): Promise<ExchangeOutcome> => {
  const { authorisation, ...rest } = state;
  if (!authorisation) return unknown('This payment does not wait for a code.');
  const startedAt = bank.tools.clock.now().getTime();
  const line = { bank: bank.profile.id, operation: 'exchange', interactionId: state.interactionId };
  try {
    const { redirectUri } = bank.client;
    const visit = { authorisation, redirectUri, scope: 'payments' as const };
    const granted = await exchangeCode(bank, visit, code);
    const obtainedAt = bank.tools.clock.now().getTime();
    const expected = { consentId: state.consentId, nonce: authorisation.nonce };
    const { fault } = await checkIdToken(bank, expected, granted.id_token);
    bank.tools.log.info(
      { ...line, status: 200, durationMs: obtainedAt - startedAt },
      'bank answered',
    );
    if (fault) {
      bank.tools.log.warn({ ...line, why: fault }, 'bank sent a wrong id token');
      return refusal('ID_TOKEN_INVALID');
    }
    return await exchanged(bank, { ...rest, access: { token: granted.access_token, obtainedAt } });
  } catch (error) {
    const refused = oauthRefusalCode(error);
    bank.tools.log.warn({ ...line, why: refused ?? faultName(error) }, 'bank gave no token');
    return refused ? refusal(refused) : unanswered(faultName(error));
  }
};

/** A bank that says no before it is asked to pay saves the payer a rejected payment. */
const exchanged = async (
  bank: Bank,
  state: RailState & Required<Pick<RailState, 'access'>>,
): Promise<ExchangeOutcome> => {
  const funds = bank.profile.fundsConfirmation
    ? await confirmFunds(bank, state, state.access.token)
    : null;
  if (funds && !funds.isAvailable) return refusal('AM04');
  return {
    kind: 'EXCHANGED',
    state: writeRailState(state),
    ...(funds && { fundsConfirmedAt: funds.at ?? bank.tools.clock.now() }),
  };
};

type Exchange = Pick<AuthorisationRequest, 'authorisation' | 'scope' | 'redirectUri'>;

/** The code that a browser brought back, for tokens. */
export const exchangeCode = async (bank: Bank, visit: Exchange, code: string) => {
  const { codeVerifier } = visit.authorisation;
  const { configuration } = await bank.discovered.get();
  return genericGrantRequest(configuration, 'authorization_code', {
    code,
    redirect_uri: visit.redirectUri,
    ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
    ...(bank.profile.quirks.includes('scopeInTokenRequest') && {
      scope: `openid ${visit.scope}`,
    }),
  });
};

/** Asks whether the payer's account holds enough. Null: the bank did not say, which decides nothing. */
const confirmFunds = async (
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
