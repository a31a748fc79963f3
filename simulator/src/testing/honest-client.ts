import { constants, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as oidc from 'openid-client';
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici';
import { redirectUri } from '../../../test/harness/simulator/open-test-simulator.ts';
import type { RegisteredBank, Registration } from '../trust/write-registration.ts';
import { checkReply } from './check-reply.ts';

export type HonestClient = Awaited<ReturnType<typeof honestClient>>;

export type BankReply = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is the check.
  readonly body: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type PostOptions = {
  readonly token: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signature?: (body: string) => string | undefined;
  readonly withoutCertificate?: boolean;
};

export const honestClient = async (trustFolder: string, bankId = 'mock-sandbox-v1') => {
  const read = (name: string) => readFile(join(trustFolder, name), 'utf8');
  const registration = JSON.parse(await read('registration.json')) as Registration;
  const bank = registration.banks.find((each) => each.id === bankId);
  if (!bank) throw new Error(`no bank ${bankId}`);
  const ca = await read('ca.pem');
  const certificate = { cert: await read('transport.pem'), key: await read('transport-key.pem') };
  const agent = new Agent({ connect: { ca, ...certificate } });
  const bareAgent = new Agent({ connect: { ca } });
  const signingKey = createPrivateKey(await read('signing-key.pem'));
  const configuration = await discover(bank, registration, agent, await read('signing-key.pem'));
  const signBody = messageSigner(registration, signingKey);

  const call = async (
    method: 'GET' | 'POST',
    path: string,
    { token, key, headers, signature = signBody, withoutCertificate }: PostOptions,
    body?: string,
  ): Promise<BankReply> => {
    const post = {
      'content-type': 'application/json',
      'x-idempotency-key': key ?? randomUUID(),
      'x-jws-signature': body === undefined ? undefined : signature(body),
    };
    const reply = await undiciRequest(`${bank.paymentsUrl}${path}`, {
      method,
      dispatcher: withoutCertificate ? bareAgent : agent,
      headers: present({
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(method === 'POST' ? post : {}),
        ...headers,
      }),
      ...(body === undefined ? {} : { body }),
    });
    const text = await reply.body.text();
    await checkReply(bank, {
      method,
      path,
      status: reply.statusCode,
      headers: reply.headers,
      text,
    });
    const parsed = text === '' ? undefined : JSON.parse(text);
    return { status: reply.statusCode, body: parsed, headers: reply.headers };
  };

  return {
    registration,
    bank,
    configuration,
    agent,
    bareAgent,
    signBody,
    signingKey,
    get: (path: string, options: PostOptions) => call('GET', path, options),
    post: (path: string, body: unknown, options: PostOptions) =>
      call('POST', path, options, typeof body === 'string' ? body : JSON.stringify(body)),
    clientToken: async (scope = 'payments') =>
      (await oidc.clientCredentialsGrant(configuration, { scope })).access_token,
    authorisationUrl: (consentId: string, loginHint?: string, scope = 'payments') =>
      authorisationUrl(bank, configuration, consentId, loginHint, scope),
    control: controlCalls(registration),
    close: () => Promise.all([agent.destroy(), bareAgent.destroy()]),
  };
};

export const controlCalls =
  ({ controlUrl, controlToken }: Registration) =>
  async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => {
    const reply = await undiciRequest(`${controlUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${controlToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is the check.
    return { status: reply.statusCode, body: (await reply.body.json()) as any };
  };

const discover = async (
  bank: RegisteredBank,
  registration: Registration,
  dispatcher: Agent,
  signingKeyPem: string,
): Promise<oidc.Configuration> => {
  const der = createPrivateKey(signingKeyPem).export({ type: 'pkcs8', format: 'der' });
  const algorithm = { name: 'RSA-PSS', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('pkcs8', new Uint8Array(der), algorithm, true, [
    'sign',
  ]);
  const signing = { key, kid: registration.signingKeyId };
  const customFetch = (address: string, options: object) =>
    undiciFetch(address, { ...options, dispatcher } as never);
  const published = await undiciFetch(bank.wellKnown, { dispatcher });
  const configuration = new oidc.Configuration(
    (await published.json()) as oidc.ServerMetadata,
    registration.clientId,
    {
      use_mtls_endpoint_aliases: true,
      id_token_signed_response_alg: 'PS256',
      authorization_signed_response_alg: 'PS256',
    },
    authenticationAt(bank, signing),
  );
  oidc.allowInsecureRequests(configuration);
  if (bank.responseMode === 'jwt') oidc.useJwtResponseMode(configuration);
  if (bank.responseMode === 'fragment') oidc.useCodeIdTokenResponseType(configuration);
  configuration[oidc.customFetch] = customFetch as never;
  keys.set(configuration, signing);
  return configuration;
};

const authenticationAt = (bank: RegisteredBank, signing: Signing): oidc.ClientAuth => {
  if (bank.tokenAuth === 'tls_client_auth') return oidc.TlsClientAuth();
  if (bank.tokenAuth === 'client_secret_basic') return oidc.ClientSecretBasic(bank.clientSecret);
  return oidc.PrivateKeyJwt(signing);
};

type Signing = { key: CryptoKeyLike; kid: string };

const keys = new WeakMap<oidc.Configuration, Signing>();
type CryptoKeyLike = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export type Visit = {
  readonly url: string;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
};

const authorisationUrl = async (
  bank: RegisteredBank,
  configuration: oidc.Configuration,
  consentId: string,
  loginHint: string | undefined,
  scope: string,
): Promise<Visit> => {
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const signing = keys.get(configuration);
  if (!signing) throw new Error('no signing key');
  const intent = { value: consentId, essential: true };
  const acr = { essential: true, values: ['urn:openbanking:psd2:ca', 'urn:openbanking:psd2:sca'] };
  const outside = {
    redirect_uri: redirectUri,
    scope: `openid ${scope}`,
    response_type: bank.responseMode === 'fragment' ? 'code id_token' : 'code',
  };
  const withRequest = await oidc.buildAuthorizationUrlWithJAR(
    configuration,
    {
      ...outside,
      ...(bank.responseMode === 'jwt' && { response_mode: 'jwt' }),
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      claims: JSON.stringify({ id_token: { openbanking_intent_id: intent, acr } }),
      ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    },
    signing as never,
  );
  if (bank.authorisation === 'jar') {
    for (const [name, value] of Object.entries(outside)) withRequest.searchParams.set(name, value);
    return { url: withRequest.href, verifier, state, nonce };
  }
  const pushed = await oidc.buildAuthorizationUrlWithPAR(configuration, withRequest.searchParams);
  return { url: pushed.href, verifier, state, nonce };
};

const messageSigner =
  (registration: Registration, key: ReturnType<typeof createPrivateKey>) =>
  (body: string, change: (header: Record<string, unknown>) => void = () => {}): string => {
    const header: Record<string, unknown> = {
      alg: 'PS256',
      kid: registration.signingKeyId,
      'http://openbanking.org.uk/iat': Math.floor(Date.now() / 1000),
      'http://openbanking.org.uk/iss': `${registration.organisationId}/${registration.softwareStatementId}`,
      'http://openbanking.org.uk/tan': registration.trustAnchor,
      crit: [
        'http://openbanking.org.uk/iat',
        'http://openbanking.org.uk/iss',
        'http://openbanking.org.uk/tan',
      ],
    };
    change(header);
    const head = Buffer.from(JSON.stringify(header)).toString('base64url');
    const input = Buffer.from(`${head}.${Buffer.from(body).toString('base64url')}`);
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = sign('sha256', input, { key, padding, saltLength: 32 });
    return `${head}..${signature.toString('base64url')}`;
  };

const present = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  );

// openid-client keeps the rejected answer as the cause.
export const statusOfFailure = async (attempt: Promise<unknown>): Promise<number | undefined> => {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason) => reason,
  );
  return (error as { cause?: { status?: number } } | undefined)?.cause?.status;
};
