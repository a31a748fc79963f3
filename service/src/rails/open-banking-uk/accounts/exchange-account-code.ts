import type { JWTPayload } from 'jose';
import type { TokensOutcome } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { faultName } from '../bank/call-bank.ts';
import { refusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import { checkIdToken } from '../consents/check-id-token.ts';
import { exchangeCode } from '../consents/exchange-code.ts';
import { oauthRefusalCode } from '../consents/oauth-refusal-code.ts';
import type { AccountState, AccountTokens } from './account-state.ts';
import { type Granted, okWith, tokensOf } from './tokens-of.ts';

/** The customer's code for the tokens that read the accounts of this one consent. */
export const exchangeAccountCode = async (
  bank: Bank,
  state: AccountState,
  code: string,
): Promise<TokensOutcome> => {
  const { authorisation, ...rest } = state;
  if (!authorisation) return unknown('This link does not wait for a code.');
  const line = { bank: bank.profile.id, operation: 'exchange', interactionId: state.interactionId };
  try {
    const redirectUri = bank.client.accountRedirectUri;
    const visit = { authorisation, redirectUri, scope: 'accounts' as const };
    const granted = await exchangeCode(bank, visit, code);
    const expected = { consentId: state.consentId, nonce: authorisation.nonce };
    const checked = await checkIdToken(bank, expected, granted.id_token);
    if (checked.fault !== null) {
      bank.tools.log.warn({ ...line, why: checked.fault }, 'bank sent a wrong id token');
      return refusal('ID_TOKEN_INVALID');
    }
    return okWith(rest, firstTokens(bank, granted, checked.claims));
  } catch (error) {
    const refused = oauthRefusalCode(error);
    bank.tools.log.warn({ ...line, why: refused ?? faultName(error) }, 'bank gave no token');
    return refused ? refusal(refused) : unanswered(faultName(error));
  }
};

const refreshEndClaim = 'http://openbanking.org.uk/refresh_token_expires_at';

const firstTokens = (bank: Bank, granted: Granted, claims: JWTPayload): AccountTokens => {
  const seconds = claims[refreshEndClaim];
  const endsAt = typeof seconds === 'number' && seconds > 0 && seconds < 1e11 ? seconds : null;
  return tokensOf(bank, granted, {
    refresh: null,
    refreshEndsAt: endsAt === null ? null : endsAt * 1000,
  });
};
