import { randomBytes, randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { ClientMetadata, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { readSoftwareStatement } from '#simulator/trust/software-statement.ts';
import { usesClientSecret } from '../bank-traits.ts';
import { readBody } from '../wire/read-body.ts';
import type { ProviderParts } from './provider-configuration.ts';
import { presentedCertificate, registeredClient, registrationPath } from './registered-client.ts';

/** Dynamic client registration 3.2: a firm registers itself by the software statement of the directory. */
export const registerClients = (provider: Provider, parts: ProviderParts): void => {
  provider.use(async (context: KoaContextWithOIDC, next) => {
    if (context.path !== registrationPath) return next();
    const { status, body } = await answerTo(parts, context);
    context.status = status;
    context.body = body;
    context.set('cache-control', 'no-store');
  });
};

type Answer = { readonly status: number; readonly body: object };
type Refused = 'invalid_client_metadata' | 'invalid_redirect_uri' | 'invalid_software_statement';

const refuse = (error: Refused): Answer => ({ status: 400, body: { error } });

const answerTo = async (parts: ProviderParts, context: KoaContextWithOIDC): Promise<Answer> => {
  if (context.method !== 'POST') return { status: 405, body: {} };
  if (!context.is('application/jose', 'application/jwt')) return { status: 415, body: {} };
  if (presentedCertificate(context.req) === undefined) return { status: 401, body: {} };
  const claims = await readRequest(parts, (await readBody(context.req)).toString());
  if (!claims) return refuse('invalid_client_metadata');
  const { credentials, tools } = parts;
  const statement = await readSoftwareStatement(
    credentials,
    claims.softwareStatement,
    tools.clock.now(),
  );
  if (statement?.softwareId !== claims.softwareId) return refuse('invalid_software_statement');
  const isKnown = (uri: string) => statement.redirectUris.includes(uri);
  if (claims.redirectUris.length === 0 || !claims.redirectUris.every(isKnown))
    return refuse('invalid_redirect_uri');
  if (claims.tokenAuth !== parts.bank.wire.tokenAuth) return refuse('invalid_client_metadata');
  return { status: 201, body: await store(parts, claims) };
};

type Claims = {
  readonly softwareId: string;
  readonly softwareStatement: string;
  readonly redirectUris: readonly string[];
  readonly tokenAuth: unknown;
};

// Undefined where a member is missing or of another type.
const claimsOf = ({
  iss,
  software_statement: softwareStatement,
  redirect_uris: redirectUris,
  token_endpoint_auth_method: tokenAuth,
}: JWTPayload): Claims | undefined => {
  if (typeof iss !== 'string' || typeof softwareStatement !== 'string') return undefined;
  if (!Array.isArray(redirectUris)) return undefined;
  return { softwareId: iss, softwareStatement, redirectUris: redirectUris.map(String), tokenAuth };
};

const readRequest = async (
  { credentials, addresses, bank, tools }: ProviderParts,
  text: string,
): Promise<Claims | undefined> => {
  try {
    const { payload } = await jwtVerify(text, credentials.clientSigningKey.publicJwk, {
      audience: addresses.issuer(bank.id),
      algorithms: ['PS256'],
      requiredClaims: ['jti', 'iat', 'exp'],
      currentDate: new Date(tools.clock.now()),
    });
    return claimsOf(payload);
  } catch {
    return undefined;
  }
};

const store = async (
  { bank, credentials, tools }: ProviderParts,
  { redirectUris }: Claims,
): Promise<ClientMetadata> => {
  const client = {
    ...registeredClient(bank, credentials, redirectUris),
    client_id: randomUUID(),
    ...(usesClientSecret(bank.wire) && { client_secret: randomBytes(32).toString('base64url') }),
  };
  const clients = tools.oidcRecords.adapter(bank.id, 'Client', () => new Error('clients stay'));
  await clients.upsert(client.client_id, client as never, 0);
  return client;
};
