import { createHash } from 'node:crypto';
import {
  buildAuthorizationUrlWithJAR,
  buildAuthorizationUrlWithPAR,
  modifyAssertion,
} from 'openid-client';
import type { Bank } from '../bank/bank.ts';
import type { RailState } from '../bank/rail-state.ts';

/** The signed request object, handed to the bank directly; the browser carries a mere reference. */
export const pushAuthorisation = async (
  bank: Bank,
  state: RailState & Required<Pick<RailState, 'authorisation'>>,
  loginHint?: string,
): Promise<string> => {
  const { client, profile } = bank;
  const { configuration } = await bank.discovered.get();
  const { oauthState, nonce, codeVerifier } = state.authorisation;
  const requestObject = await buildAuthorizationUrlWithJAR(
    configuration,
    {
      response_type: 'code',
      response_mode: profile.responseMode,
      redirect_uri: client.redirectUri,
      scope: 'openid payments',
      state: oauthState,
      nonce,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      claims: JSON.stringify(claimsFor(state.consentId)),
      ...(loginHint === undefined ? {} : { login_hint: loginHint }),
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
