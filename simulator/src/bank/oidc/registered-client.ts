import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ClientMetadata } from 'oidc-provider';
import {
  type Credentials,
  clientSecretFor,
  clientSubjectOf,
} from '#simulator/trust/credentials.ts';
import { usesClientSecret, type WireTraits } from '../bank-traits.ts';
import type { BankProfile } from '../banks.ts';

export const registeredClient = (
  { id, wire }: BankProfile,
  credentials: Credentials,
  redirectUris: readonly string[],
): ClientMetadata => {
  const usesAppScheme = redirectUris.some((uri) => !/^https?:/.test(uri));
  return {
    client_id: credentials.identity.clientId,
    client_name: 'Florin',
    application_type: usesAppScheme ? 'native' : 'web',
    redirect_uris: redirectUris.length > 0 ? [...redirectUris] : ['https://client.invalid/none'],
    response_types: [responseTypeOf(wire)],
    grant_types: [
      'authorization_code',
      'client_credentials',
      'refresh_token',
      ...(wire.responseMode === 'fragment' ? ['implicit'] : []),
    ],
    scope: 'openid payments accounts',
    token_endpoint_auth_method: wire.tokenAuth,
    ...authenticationOf(wire, credentials, id),
    id_token_signed_response_alg: 'PS256',
    request_object_signing_alg: 'PS256',
    authorization_signed_response_alg: 'PS256',
    require_pushed_authorization_requests: wire.authorisation === 'par',
    require_signed_request_object: true,
    tls_client_certificate_bound_access_tokens: true,
    jwks: { keys: [credentials.clientSigningKey.publicJwk as never] },
  };
};

export const registrationPath = '/register';

export const responseTypeOf = ({ responseMode }: WireTraits): 'code' | 'code id_token' =>
  responseMode === 'fragment' ? 'code id_token' : 'code';

const authenticationOf = (
  wire: WireTraits,
  credentials: Credentials,
  bankId: string,
): Partial<ClientMetadata> => {
  if (usesClientSecret(wire)) return { client_secret: clientSecretFor(credentials, bankId) };
  if (wire.tokenAuth === 'private_key_jwt') return { token_endpoint_auth_signing_alg: 'PS256' };
  return { tls_client_auth_subject_dn: clientSubjectOf(credentials) };
};

type Presented = {
  readonly pem: string;
  readonly subject: readonly string[];
  // As in `x5t#S256`.
  readonly thumbprint: string;
};

const presented = new WeakMap<object, Presented>();

// The certificate of the directory that this client has shown; it is read once for each connection.
export const presentedCertificate = ({ socket }: IncomingMessage): Presented | undefined => {
  const known = presented.get(socket);
  const { authorized, getPeerX509Certificate } = socket as Partial<TLSSocket>;
  const certificate = known || !authorized ? undefined : getPeerX509Certificate?.call(socket);
  if (!certificate) return known;
  const read = {
    pem: certificate.toString(),
    subject: certificate.subject.split('\n'),
    thumbprint: createHash('sha256').update(certificate.raw).digest('base64url'),
  };
  presented.set(socket, read);
  return read;
};

// The subject as it was registered; the order of its parts does not matter.
export const certificateIsOf = (request: IncomingMessage, subject: string): boolean => {
  const shown = presentedCertificate(request)?.subject ?? [];
  const expected = subject.split(/,\s*/);
  return shown.length === expected.length && expected.every((part) => shown.includes(part));
};
