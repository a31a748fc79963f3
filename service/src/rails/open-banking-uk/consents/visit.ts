import { createHash } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { buildAuthorizationUrlWithPAR, genericGrantRequest } from 'openid-client';
import type { Refusal, Unknown } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { faultName, refusal, unanswered, unknown, warn } from '../bank/call-bank.ts';
import type { BankProfile } from '../settings/bank-profile.ts';
import { checkIdToken } from './check-id-token.ts';
import { oauthRefusalCode } from './read-return.ts';

/** A customer's visit to the bank: a payment or a link of accounts waits for its end. */
export type Visit = {
  readonly interactionId: string;
  readonly consentId: string;
  readonly authorisation: Authorisation;
};

/** What one visit to the bank is known by; a visit without a code verifier has no PKCE. */
export type Authorisation = {
  readonly oauthState: string;
  /** That of the cell in which it began, wherever its code comes to (CELLS). */
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeVerifier?: string;
};

/** What waits for a return; after it, or without it, there is no authorisation. */
export type Awaiting = Omit<Visit, 'authorisation'> & { readonly authorisation?: Authorisation };

type Scope = 'payments' | 'accounts';

/** PKCE belongs to pushed requests; by value, the nonce and the id token bind the code to the visit. */
export const newAuthorisation = (
  { profile, tools, client }: Bank,
  scope: Scope,
  oauthState: string,
): Authorisation => ({
  oauthState,
  redirectUri: scope === 'payments' ? client.redirectUri : client.accountRedirectUri,
  nonce: tools.ids.bytes(24).toString('base64url'),
  ...(profile.authorisation === 'par' && {
    codeVerifier: tools.ids.bytes(48).toString('base64url'),
  }),
});

/** The address at which the customer approves the consent of this state. */
export const openVisit = async (
  bank: Bank,
  state: Visit,
  scope: Scope,
  loginHint: string | undefined,
) => {
  const { consentId, interactionId } = state;
  try {
    const signed = await signRequestObject(bank, state, scope, loginHint);
    const authorisationUrl = await requestWays[bank.profile.authorisation](bank, state, signed);
    const made = { reference: consentId, authorisationUrl, interactionId };
    return { kind: 'CREATED' as const, state: JSON.stringify(state), ...made };
  } catch (error) {
    const code = oauthRefusalCode(error);
    const why = code ?? faultName(error);
    warn(bank, interactionId, 'request authorisation', why, 'bank gave no address');
    return code ? refusal('AUTHORISATION_REFUSED') : unanswered(why);
  }
};

type RequestWay = (bank: Bank, visit: Visit, signed: SignedRequest) => Promise<string>;

const requestWays: Readonly<Record<BankProfile['authorisation'], RequestWay>> = {
  /** The signed request object, handed to the bank directly; the browser carries a mere reference. */
  par: async (bank, _visit, { requestObject, outside }) => {
    const { configuration } = await bank.discovered.get();
    const address = await buildAuthorizationUrlWithPAR(configuration, {
      request: requestObject,
      client_id: outside.client_id,
    });
    return address.href;
  },
  /** It stands in the browser's address. OpenID wants four of its members outside too. */
  jar: async (bank, { authorisation }, { requestObject, outside }) => {
    const { authorisationEndpoint } = await bank.discovered.get();
    const query = new URLSearchParams({
      ...outside,
      ...(bank.profile.quirks.includes('nonceAlsoInQuery') && { nonce: authorisation.nonce }),
      request: requestObject,
    });
    // Put together as text: the address of an app has no form that URL would keep.
    return `${authorisationEndpoint}${authorisationEndpoint.includes('?') ? '&' : '?'}${query}`;
  },
};

// FAPI allows an hour. A payer is redirected at once; a desktop's code for the phone takes longer.
const lifetimeSeconds = 600;
// A bank whose clock is a little behind would refuse an object from its future.
const clockDriftSeconds = 10;

type SignedRequest = Awaited<ReturnType<typeof signRequestObject>>;

/** What we ask the bank's customer to approve, signed (JAR). */
const signRequestObject = async (
  bank: Bank,
  { consentId, authorisation }: Visit,
  scope: Scope,
  loginHint: string | undefined,
) => {
  const { client, profile, tools } = bank;
  const { oauthState, redirectUri, nonce, codeVerifier } = authorisation;
  const now = Math.floor(tools.clock.now().getTime() / 1000);
  const outside = {
    response_type: profile.responseMode === 'fragment' ? 'code id_token' : 'code',
    client_id: client.clientId,
    scope: `openid ${scope}`,
    redirect_uri: redirectUri,
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
    claims: claimsFor(consentId),
    ...(loginHint !== undefined && { login_hint: loginHint }),
    jti: tools.ids.uuid(),
    iat: now,
    nbf: now - clockDriftSeconds,
    exp: now + lifetimeSeconds,
  })
    .setProtectedHeader({ alg: 'PS256', kid: client.signingKeyId, typ: 'JWT' })
    .sign(await bank.clientKeys.signingKey());
  return { requestObject, outside };
};

const claimsFor = (consentId: string) => {
  const intent = { value: consentId, essential: true };
  const values = ['urn:openbanking:psd2:sca', 'urn:openbanking:psd2:ca'];
  return {
    id_token: { openbanking_intent_id: intent, acr: { essential: true, values } },
    userinfo: { openbanking_intent_id: intent },
  };
};

export type Granted = Awaited<ReturnType<typeof genericGrantRequest>>;

type Exchanged =
  | { readonly kind: 'GRANTED'; readonly granted: Granted; readonly claims: JWTPayload }
  | Refusal
  | Unknown;

/** The code that a browser brought back, for tokens of this one consent. */
export const exchangeCode = async (
  bank: Bank,
  { authorisation, consentId, interactionId }: Awaiting,
  scope: Scope,
  code: string,
): Promise<Exchanged> => {
  if (!authorisation) return unknown('Nothing waits for this code.');
  const { clock, log } = bank.tools;
  const startedAt = clock.now().getTime();
  try {
    const { configuration } = await bank.discovered.get();
    const { codeVerifier, nonce, redirectUri } = authorisation;
    const granted = await genericGrantRequest(configuration, 'authorization_code', {
      code,
      redirect_uri: redirectUri,
      ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
      ...(bank.profile.quirks.includes('scopeInTokenRequest') && { scope: `openid ${scope}` }),
    });
    const durationMs = clock.now().getTime() - startedAt;
    const line = { bank: bank.profile.id, operation: 'exchange', status: 200, durationMs };
    log.info({ ...line, interactionId }, 'bank answered');
    const { fault, claims } = await checkIdToken(bank, { consentId, nonce }, granted.id_token);
    if (fault === null) return { kind: 'GRANTED', granted, claims };
    warn(bank, interactionId, 'exchange', fault, 'bank sent a wrong id token');
    return refusal('ID_TOKEN_INVALID');
  } catch (error) {
    const refused = oauthRefusalCode(error);
    warn(bank, interactionId, 'exchange', refused ?? faultName(error), 'bank gave no token');
    return refused ? refusal(refused) : unanswered(faultName(error));
  }
};
