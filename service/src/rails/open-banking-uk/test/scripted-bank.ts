import type { IncomingMessage } from 'node:http';
import type { CryptoKey, JWK, JWTPayload } from 'jose';
import { exportJWK, SignJWT } from 'jose';
import { pence } from '#kernel/pence.ts';
import { signDetached } from '../messages/detached-jws.ts';
import type { BankProfile } from '../settings/bank-profile.ts';
import { allIdTokenChecks } from '../settings/bank-profile.ts';
import { clientId, newRsaPair } from './new-test-client.ts';
import { type ScriptedAnswer, serveScript } from './serve-script.ts';

export type Operation =
  | 'GET configuration'
  | 'GET jwks'
  | 'POST token'
  | 'POST par'
  | 'POST domestic-payment-consents'
  | 'GET domestic-payment-consents'
  | 'GET funds-confirmation'
  | 'POST domestic-payments'
  | 'GET domestic-payments'
  | 'POST account-access-consents'
  | 'GET account-access-consents'
  | 'DELETE account-access-consents'
  | 'GET accounts'
  | 'GET balances'
  | 'GET transactions'
  | 'GET event-subscriptions'
  | 'POST event-subscriptions'
  | 'PUT event-subscriptions';

export type Answer = ScriptedAnswer & { readonly signature?: 'none' | 'wrong' };

type ReceivedRequest = {
  readonly operation: Operation;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

type Books = { consent: unknown; consentStatus: string; initiation: unknown; nonce: string };

let bankKeys: ReturnType<typeof newRsaPair> | null = null;

/** A bank that answers as a test says; else it behaves. */
export const openScriptedBank = async () => {
  // A key costs more than all else here, and no test needs one of its own.
  bankKeys ??= newRsaPair();
  const keys = await bankKeys;
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'bank-key', alg: 'PS256', use: 'sig' };
  const idTokenClaims = { change: {} as JWTPayload };
  const books: Books = { consent: null, consentStatus: 'AWAU', initiation: null, nonce: '' };
  let issuer = '';

  const signJwt = (claims: JWTPayload, key: CryptoKey = keys.privateKey): Promise<string> =>
    new SignJWT({
      iss: issuer,
      aud: clientId,
      exp: Math.floor(Date.now() / 1000) + 300,
      iat: Math.floor(Date.now() / 1000),
      ...claims,
    })
      .setProtectedHeader({ alg: 'PS256', kid: 'bank-key' })
      .sign(key);

  const server = await serveScript<ReceivedRequest, Answer>({
    read: (request, body) => {
      const { url: path = '', headers } = request;
      return { operation: operationOf(request), path, headers, body };
    },
    usual: ({ operation, body }) => usual[operation](body),
    headersOf: async ({ signature }, text): Promise<Record<string, string>> => {
      if (signature === 'none') return {};
      const signed = signature === 'wrong' ? `${text} ` : text;
      const identity = { keyId: 'bank-key', issuer: 'bank-org', trustAnchor: 'trust' };
      return {
        'x-jws-signature': await signDetached(signed, keys.privateKey, identity, new Date()),
      };
    },
  });
  const { requests } = server;
  const inside = { jwk, requests, idTokenClaims, signJwt, books, issuer: () => issuer };
  const usual = usualAnswers(inside);
  issuer = server.url;
  return { ...server, profile: profileAt(issuer), idTokenClaims, signJwt };
};

export type ScriptedBank = Awaited<ReturnType<typeof openScriptedBank>>;

type Usual = Readonly<Record<Operation, (body: string) => Promise<Answer> | Answer>>;

type Inside = {
  readonly requests: readonly ReceivedRequest[];
  readonly idTokenClaims: { readonly change: JWTPayload };
  readonly signJwt: (claims: JWTPayload) => Promise<string>;
  readonly jwk: JWK;
  readonly books: Books;
  readonly issuer: () => string;
};

const usualAnswers = ({ jwk, requests, idTokenClaims, signJwt, books, issuer }: Inside): Usual => ({
  'GET configuration': () => ({
    body: {
      issuer: issuer(),
      jwks_uri: `${issuer()}/jwks`,
      token_endpoint: `${issuer()}/token`,
      authorization_endpoint: `${issuer()}/auth`,
      pushed_authorization_request_endpoint: `${issuer()}/par`,
      authorization_signing_alg_values_supported: ['PS256'],
      id_token_signing_alg_values_supported: ['PS256'],
    },
  }),
  'GET jwks': () => ({ body: { keys: [jwk] } }),
  'POST token': async (body) => {
    const token = { access_token: `token-${requests.length}`, token_type: 'bearer' };
    const refresh_token = `refresh-${requests.length}`;
    if (body.includes('grant_type=refresh_token'))
      return { body: { ...token, expires_in: 300, refresh_token } };
    if (!body.includes('authorization_code')) return { body: { ...token, expires_in: 300 } };
    const claims = {
      openbanking_intent_id: 'consent-1',
      nonce: books.nonce,
      acr,
      sub: 'consent-1',
    };
    const id_token = await signJwt({ ...claims, ...idTokenClaims.change });
    return { body: { ...token, expires_in: 300, id_token, refresh_token } };
  },
  'POST par': (body) => {
    const request = new URLSearchParams(body).get('request') ?? '';
    const payload = Buffer.from(request.split('.')[1] ?? '', 'base64url').toString();
    books.nonce = JSON.parse(payload).nonce;
    return { status: 201, body: { request_uri: 'urn:bank:1', expires_in: 60 } };
  },
  'POST domestic-payment-consents': (body) => {
    books.initiation = JSON.parse(body).Data.Initiation;
    return { status: 201, body: consentBody(books) };
  },
  'GET domestic-payment-consents': () => ({ body: consentBody(books) }),
  'GET funds-confirmation': () => ({ status: 404 }),
  'POST domestic-payments': () => ({ status: 201, body: paymentBody('RCVD') }),
  'GET domestic-payments': () => ({ body: paymentBody('ACSC') }),
  'POST account-access-consents': () => ({ status: 201, ...accountConsent('AWAU') }),
  'GET account-access-consents': () => accountConsent('AUTH'),
  'DELETE account-access-consents': () => ({ status: 204, signature: 'none' }),
  'GET accounts': () => unsigned({ Account: [{ AccountId: 'acc-1', Currency: 'GBP' }] }),
  'GET balances': () => unsigned({ Balance: [] }),
  'GET transactions': () => unsigned({ Transaction: [] }),
  'GET event-subscriptions': () => ({ body: { Data: {} } }),
  'POST event-subscriptions': (body) => ({ status: 201, body: JSON.parse(body) }),
  'PUT event-subscriptions': (body) => ({ body: JSON.parse(body) }),
});

const acr = 'urn:openbanking:psd2:sca';

/** What shows accounts is not signed. */
export const unsigned = (data: object, more: object = {}): Answer => ({
  body: { Data: data, ...more },
  signature: 'none',
});

export const accountConsent = (Status: string): Answer =>
  unsigned({ ConsentId: 'consent-1', Status });

const profileAt = (issuer: string): BankProfile => ({
  id: 'scripted',
  name: 'Scripted',
  fullName: 'Scripted Bank',
  kind: 'both',
  colour: '#123456',
  limitPence: pence(1_000_000),
  isEnabled: true,
  isPopular: false,
  countryCode: 'GB',
  issuer,
  wellKnown: `${issuer}/.well-known/openid-configuration`,
  paymentsUrl: `${issuer}/pisp`,
  accountsUrl: `${issuer}/aisp`,
  accountsVersion: '4.0',
  version: '4.0',
  tokenAuth: 'private_key_jwt',
  assertionAudience: 'issuer',
  responseMode: 'jwt',
  authorisation: 'par',
  idTokenChecks: allIdTokenChecks,
  answerSignature: 'required',
  bankSigning: { jwksUri: `${issuer}/jwks`, organisationId: 'bank-org' },
  tokenScope: 'payments',
  readRefundAccount: true,
  fundsConfirmation: false,
  quirks: [],
});

export const consentBody = ({ consentStatus, initiation }: Partial<Books>) => ({
  Data: { ConsentId: 'consent-1', Status: consentStatus, Initiation: initiation },
});

export const paymentBody = (status: string, more: object = {}) => ({
  Data: {
    DomesticPaymentId: 'payment-1',
    ConsentId: 'consent-1',
    Status: status,
    StatusUpdateDateTime: '2026-11-01T10:00:00+00:00',
    ...more,
  },
});

export const errorBody = (...codes: readonly string[]) => ({
  Errors: codes.map((ErrorCode) => ({ ErrorCode, Message: 'a text of the bank' })),
});

const operationOf = (request: IncomingMessage): Operation => {
  const parts = (request.url ?? '').split('?')[0]?.split('/') ?? [];
  const isFirst = parts[1] === 'pisp' || parts[2] === 'account-access-consents';
  const isFunds = parts.at(-1) === 'funds-confirmation';
  const name = isFirst && !isFunds ? parts[2] : parts.at(-1);
  return `${request.method} ${name === 'openid-configuration' ? 'configuration' : name}` as Operation;
};
