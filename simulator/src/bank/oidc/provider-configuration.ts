import type { Configuration } from 'oidc-provider';
import type { Credentials, SigningKey } from '#simulator/trust/credentials.ts';
import type { BankTools } from '../bank.ts';
import type { BankProfile } from '../banks.ts';
import { noticePage } from '../pages/bank-page.ts';
import type { Addresses } from '../wire/addresses.ts';
import {
  assertRequestObject,
  findSubject,
  refreshEndClaim,
  refreshTokenLifetimeSeconds,
} from './consent-of-request.ts';
import { loadOidcProvider } from './load-oidc-provider.ts';
import {
  certificateIsOf,
  presentedCertificate,
  registeredClient,
  registrationPath,
  responseTypeOf,
} from './registered-client.ts';

export const providerConfiguration = async (parts: ProviderParts): Promise<Configuration> => {
  const { bank, credentials, signingKey, tools } = parts;
  const { errors } = await loadOidcProvider();
  const alreadyConsumed = () => new errors.InvalidGrant('already consumed');
  return {
    adapter: (model: string) => tools.oidcRecords.adapter(bank.id, model, alreadyConsumed),
    clients: [registeredClient(bank, credentials, parts.redirectUris)],
    jwks: { keys: [signingKey.privateJwk as never] },
    cookies: {
      keys: [credentials.identity.cookieSecret],
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    routes,
    scopes: ['openid', 'payments', 'accounts'],
    claims: { openid: ['sub', 'openbanking_intent_id', refreshEndClaim], acr: null },
    acrValues: [...assurance],
    responseTypes: [responseTypeOf(bank.wire)],
    clientAuthMethods: [bank.wire.tokenAuth],
    enabledJWA: {
      idTokenSigningAlgValues: ['PS256'],
      requestObjectSigningAlgValues: ['PS256'],
      clientAuthSigningAlgValues: ['PS256'],
      authorizationSigningAlgValues: ['PS256'],
    },
    pkce: { required: () => bank.wire.authorisation === 'par' },
    discovery: discoveryOf(parts),
    features: await featuresOf(parts),
    interactions: {
      policy: await interactionPolicy(),
      url: (_context, interaction) => `/banks/${bank.id}/login/${interaction.uid}`,
    },
    findAccount: (context, id, token) => findSubject(parts, id, { kind: token?.kind, context }),
    // Payments are made once; accounts are read for months.
    issueRefreshToken: async (_context, _client, code) => code.scopes.has('accounts'),
    rotateRefreshToken: () => bank.statement.rotatesRefreshTokens,
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      ClientCredentials: 600,
      // Payments are made soon or not at all.
      Grant: (_context, grant) =>
        /accounts/.test(grant.getOIDCScope()) ? refreshTokenLifetimeSeconds : 900,
      IdToken: 600,
      Interaction: 900,
      RefreshToken: refreshTokenLifetimeSeconds,
      Session: 900,
    },
    renderError: async (context, out) => {
      context.type = 'html';
      context.body = noticePage(bank, {
        title: 'This page has ended',
        text: 'Go back to the shop and start the payment again. No money has moved.',
        detail: `${out.error}${out.error_description ? `: ${out.error_description}` : ''}`,
      });
    },
  };
};

export const routes = {
  authorization: '/auth',
  jwks: '/jwks',
  pushed_authorization_request: '/par',
  token: '/token',
  userinfo: '/userinfo',
} as const;

export const assurance = ['urn:openbanking:psd2:sca', 'urn:openbanking:psd2:ca'] as const;

export type ProviderParts = {
  readonly bank: BankProfile;
  readonly addresses: Addresses;
  readonly credentials: Credentials;
  readonly redirectUris: readonly string[];
  readonly signingKey: SigningKey;
  readonly tools: BankTools;
};

const discoveryOf = ({ bank, addresses }: ProviderParts): Record<string, unknown> => {
  const back = addresses.back(bank.id);
  const pushed = `${back}${routes.pushed_authorization_request}`;
  return {
    registration_endpoint: `${back}${registrationPath}`,
    mtls_endpoint_aliases: {
      token_endpoint: `${back}${routes.token}`,
      ...(bank.wire.authorisation === 'par' && { pushed_authorization_request_endpoint: pushed }),
      userinfo_endpoint: `${back}${routes.userinfo}`,
    },
  };
};

const featuresOf = async (parts: ProviderParts): Promise<Configuration['features']> => {
  const { wire } = parts.bank;
  const { errors } = await loadOidcProvider();
  const invalid = (reason: string) => new errors.InvalidRequestObject(reason);
  return {
    claimsParameter: { enabled: true },
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    // A code in the query, unsigned, is what the profile forbids and some banks still do.
    fapi: { enabled: wire.responseMode !== 'query', profile: '1.0 Final' },
    jwtResponseModes: { enabled: wire.responseMode === 'jwt' },
    mTLS: {
      enabled: true,
      certificateBoundAccessTokens: true,
      getCertificate: (context) => presentedCertificate(context.req)?.pem,
      tlsClientAuth: wire.tokenAuth === 'tls_client_auth',
      certificateAuthorized: (context) => presentedCertificate(context.req) !== undefined,
      certificateSubjectMatches: (context, property, expected) =>
        property === 'tls_client_auth_subject_dn' && certificateIsOf(context.req, expected),
    },
    pushedAuthorizationRequests: {
      enabled: wire.authorisation === 'par',
      requirePushedAuthorizationRequests: wire.authorisation === 'par',
    },
    requestObjects: {
      enabled: true,
      requireSignedRequestObject: true,
      assertJwtClaimsAndHeader: async (_context, claims) =>
        assertRequestObject(parts.tools, parts.bank.id, claims, invalid),
    },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: true },
  };
};

// Every payment needs a new login and approval: an earlier grant never counts.
const interactionPolicy = async () => {
  const { interactionPolicy: policies } = await loadOidcProvider();
  const { Check, Prompt } = policies;
  const unanswered = new Check('no_decision', 'the customer must decide', (context) => {
    const { result } = context.oidc;
    return !(result?.login && result.consent) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT;
  });
  const policy = policies.base();
  policy.clear();
  policy.add(new Prompt({ name: 'login', requestable: true }, unanswered));
  policy.add(new Prompt({ name: 'consent', requestable: true }));
  return policy;
};
