import { genericGrantRequest } from 'openid-client';
import type { AuthorisationRequest, Bank } from '../bank/bank.ts';

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
