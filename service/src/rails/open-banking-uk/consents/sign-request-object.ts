import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import type { AuthorisationRequest, Bank } from '../bank/bank.ts';

// FAPI allows an hour. A payer is redirected at once; a desktop's code for the phone takes longer.
const lifetimeSeconds = 600;

export type SignedRequest = {
  readonly requestObject: string;
  /** The members that a request by value repeats outside. */
  readonly outside: Readonly<
    Record<'response_type' | 'client_id' | 'scope' | 'redirect_uri', string>
  >;
};

/** What we ask the bank's customer to approve, signed (JAR). */
export const signRequestObject = async (
  bank: Bank,
  request: AuthorisationRequest,
): Promise<SignedRequest> => {
  const { client, profile, tools } = bank;
  const { oauthState, nonce, codeVerifier } = request.authorisation;
  const now = Math.floor(tools.clock.now().getTime() / 1000);
  const outside = {
    response_type: profile.responseMode === 'fragment' ? 'code id_token' : 'code',
    client_id: client.clientId,
    scope: `openid ${request.scope}`,
    redirect_uri: request.redirectUri,
  };
  const requestObject = await new SignJWT({
    ...outside,
    ...(profile.responseMode === 'jwt' && { response_mode: 'jwt' }),
    iss: client.clientId,
    aud: profile.requestObjectAudience ?? profile.issuer,
    state: oauthState,
    nonce,
    ...(codeVerifier !== undefined && {
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
    claims: claimsFor(request.consentId),
    ...(request.loginHint !== undefined && { login_hint: request.loginHint }),
    jti: tools.ids.uuid(),
    iat: now,
    nbf: now - clockDriftSeconds,
    exp: now + lifetimeSeconds,
  })
    .setProtectedHeader({ alg: 'PS256', kid: client.signingKeyId, typ: 'JWT' })
    .sign(await bank.clientKeys.signingKey());
  return { requestObject, outside };
};

// A bank whose clock is a little behind would refuse an object from its future.
const clockDriftSeconds = 10;

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
