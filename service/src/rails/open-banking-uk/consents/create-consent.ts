import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { SignJWT } from 'jose';
import { buildAuthorizationUrlWithPAR } from 'openid-client';
import { poundsText } from '#kernel/pence.ts';
import type { BankPaymentOrder, ConsentOutcome } from '#rails/bank-rail.ts';
import type {
  Authorisation,
  AuthorisationRequest,
  Bank,
  RequestAuthorisation,
} from '../bank/bank.ts';
import { classifyRefusal, faultName, refusal, unanswered, unknown } from '../bank/call-bank.ts';
import { callAsClient } from '../bank/client.ts';
import { type RailState, writeRailState } from '../bank/rail-state.ts';
import type { ConsentAnswer } from '../messages/codec.ts';
import { oauthRefusalCode } from './read-return.ts';

/** Requests a consent from the bank, and the address where the payer approves it. */
export const createConsent = async (
  bank: Bank,
  order: BankPaymentOrder,
): Promise<ConsentOutcome> => {
  const { profile, codec, tools } = bank;
  const interactionId = tools.ids.uuid();
  const payer = payerOf(order);
  const body = codec.consentBody(order, {
    readRefundAccount: profile.readRefundAccount,
    saysContractPresent: !profile.quirks.includes('noContractPresentIndicator'),
    ...(profile.referenceLengthMax && { referenceLengthMax: profile.referenceLengthMax }),
    ...(profile.contextCode && { contextCode: profile.contextCode }),
  });
  const answer = await callAsClient(bank, {
    operation: 'create consent',
    path: '/domestic-payment-consents',
    interactionId,
    ...payer,
    submission: { body, idempotencyKey: `c-${order.instructionId}` },
  });
  if (answer.kind === 'NOTHING')
    return answer.isSent ? unanswered(answer.why) : refusal('BANK_UNAVAILABLE');
  if (answer.status >= 300) return classifyRefusal(bank, answer);
  const consent = codec.readConsent(answer.body);
  if (!consent) return unknown('The answer of the bank is no consent.');
  const amount = poundsText(order.amountPence);
  const fault = findConsentFault(consent, amount);
  if (fault) return unknown(fault);
  const state = {
    v: 1 as const,
    bankId: profile.id,
    version: profile.version,
    interactionId,
    consentId: consent.consentId,
    amount,
    body: codec.paymentBody(consent.consentId, body),
    idempotencyKey: `p-${order.instructionId}`,
    ...payer,
    authorisation: newAuthorisation(bank, order.oauthState),
  };
  return authorise(bank, state, order.loginHint);
};

const authorise = async (
  bank: Bank,
  state: RailState & Required<Pick<RailState, 'authorisation'>>,
  loginHint: string | undefined,
): Promise<ConsentOutcome> => {
  try {
    const authorisationUrl = await bank.requestAuthorisation(bank, {
      consentId: state.consentId,
      authorisation: state.authorisation,
      scope: 'payments',
      redirectUri: bank.client.redirectUri,
      loginHint,
    });
    return {
      kind: 'CREATED',
      state: writeRailState(state),
      reference: state.consentId,
      authorisationUrl,
      interactionId: state.interactionId,
    };
  } catch (error) {
    const code = oauthRefusalCode(error);
    const why = code ?? faultName(error);
    const line = { bank: bank.profile.id, operation: 'request authorisation', why };
    bank.tools.log.warn({ ...line, interactionId: state.interactionId }, 'bank gave no address');
    return code ? refusal('AUTHORISATION_REFUSED') : unanswered(why);
  }
};

const findConsentFault = (consent: ConsentAnswer, amount: string): string | null => {
  if (consent.amount && consent.amount !== amount) return 'The consent is for another amount.';
  // A repeat of the same order may find the consent in a later state.
  if (consent.status !== 'AWAITING') return 'The consent is not waiting for the payer.';
  return null;
};

/** Only what fits into a header of the standard. */
const payerOf = (order: BankPaymentOrder): Pick<RailState, 'payerAddress' | 'payerUserAgent'> => {
  const address = order.payerAddress && isIP(order.payerAddress) ? order.payerAddress : undefined;
  const userAgent = order.payerUserAgent
    ?.replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 400);
  return {
    ...(address && { payerAddress: address }),
    ...(userAgent && { payerUserAgent: userAgent }),
  };
};

/** PKCE belongs to pushed requests; by value, the nonce and the id token bind the code to the visit. */
export const newAuthorisation = ({ profile, tools }: Bank, oauthState: string): Authorisation => ({
  oauthState,
  nonce: tools.ids.bytes(24).toString('base64url'),
  ...(profile.authorisation === 'par' && {
    codeVerifier: tools.ids.bytes(48).toString('base64url'),
  }),
});

/** The signed request object, handed to the bank directly; the browser carries a mere reference. */
export const pushAuthorisation: RequestAuthorisation = async (bank, request) => {
  const { configuration } = await bank.discovered.get();
  const { requestObject, outside } = await signRequestObject(bank, request);
  const address = await buildAuthorizationUrlWithPAR(configuration, {
    request: requestObject,
    client_id: outside.client_id,
  });
  return address.href;
};

/** The signed request object in the browser's address. OpenID wants four of its members outside too. */
export const requestByValue: RequestAuthorisation = async (bank, request) => {
  const { authorisationEndpoint } = await bank.discovered.get();
  const { requestObject, outside } = await signRequestObject(bank, request);
  const query = new URLSearchParams({
    ...outside,
    ...(bank.profile.quirks.includes('nonceAlsoInQuery') && {
      nonce: request.authorisation.nonce,
    }),
    request: requestObject,
  });
  // Put together as text: the address of an app has no form that URL would keep.
  return `${authorisationEndpoint}${authorisationEndpoint.includes('?') ? '&' : '?'}${query}`;
};

// FAPI allows an hour. A payer is redirected at once; a desktop's code for the phone takes longer.
const lifetimeSeconds = 600;

type SignedRequest = {
  readonly requestObject: string;
  /** The members that a request by value repeats outside. */
  readonly outside: Readonly<
    Record<'response_type' | 'client_id' | 'scope' | 'redirect_uri', string>
  >;
};

/** What we ask the bank's customer to approve, signed (JAR). */
const signRequestObject = async (
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
