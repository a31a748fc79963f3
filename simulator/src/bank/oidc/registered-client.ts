import type { ClientMetadata } from 'oidc-provider';
import type { Credentials } from '#simulator/trust/credentials.ts';

export const registeredClient = (
  credentials: Credentials,
  redirectUris: readonly string[],
): ClientMetadata => {
  const usesAppScheme = redirectUris.some((uri) => !/^https?:/.test(uri));
  return {
    client_id: credentials.identity.clientId,
    client_name: 'Florin',
    application_type: usesAppScheme ? 'native' : 'web',
    redirect_uris: redirectUris.length > 0 ? [...redirectUris] : ['https://client.invalid/none'],
    response_types: ['code'],
    grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
    scope: 'openid payments accounts',
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'PS256',
    id_token_signed_response_alg: 'PS256',
    request_object_signing_alg: 'PS256',
    authorization_signed_response_alg: 'PS256',
    require_pushed_authorization_requests: true,
    require_signed_request_object: true,
    tls_client_certificate_bound_access_tokens: true,
    jwks: { keys: [credentials.clientSigningKey.publicJwk as never] },
  };
};
