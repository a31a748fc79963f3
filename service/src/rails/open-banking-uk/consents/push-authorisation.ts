import { createHash } from 'node:crypto';
import {
  buildAuthorizationUrlWithJAR,
  buildAuthorizationUrlWithPAR,
  modifyAssertion,
} from 'openid-client';
import type { Bank } from '../bank/bank.ts';

/** The signed request object, handed to the bank directly; the browser carries a mere reference. */
export const pushAuthorisation = async (
  bank: Bank,
  request: AuthorisationRequest,
): Promise<string> => {
  const { client, profile } = bank;
  const { configuration } = await bank.discovered.get();
  const { oauthState, nonce, codeVerifier } = request.authorisation;
  const requestObject = await buildAuthorizationUrlWithJAR(
    configuration,
    {
      response_type: 'code',
      response_mode: profile.responseMode,
      redirect_uri: request.redirectUri,
      scope: `openid ${request.scope}`,
      state: oauthState,
      nonce,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      claims: JSON.stringify(claimsFor(request.consentId)),
      ...(request.loginHint === undefined ? {} : { login_hint: request.loginHint }),
    },
    { key: await bank.clientKeys.signingKey(), kid: client.signingKeyId },
    {
      [modifyAssertion]: (_header, claims) => {
        if (profile.requestObjectAudience) claims.aud = profile.requestObjectAudience;
      },
    },
  );
  const address = await buildAuthorizationUrlWithPAR(configuration, requestObject.searchParams);
  return address.href;
};

export type Authorisation = {
  readonly oauthState: string;
  readonly nonce: string;
  readonly codeVerifier: string;
};

export type AuthorisationRequest = {
  readonly consentId: string;
  readonly authorisation: Authorisation;
  readonly scope: 'payments' | 'accounts';
  readonly redirectUri: string;
  readonly loginHint?: string | undefined;
};

const strongAuthentication = {
  essential: true,
  values: ['urn:openbanking:psd2:sca', 'urn:openbanking:psd2:ca'],
};

const claimsFor = (consentId: string) => {
  const intent = { value: consentId, essential: true };
  return {
    id_token: { openbanking_intent_id: intent, acr: strongAuthentication },
    userinfo: { openbanking_intent_id: intent },
  };
};
