import { type BodyOf, type createWebhookEndpoint, failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure, type FieldError } from '#kernel/failure.ts';
import type { SecretContext, Secrets } from '#platform/secrets/open-secrets.ts';
import { checkUrl, type WebhookNetwork } from './webhook-network.ts';

export type EndpointAuthentication =
  | { readonly kind: 'NONE' }
  | { readonly kind: 'BASIC'; readonly username: string; readonly password: string }
  | {
      readonly kind: 'OAUTH2';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly authUrl: string;
    };

type Given = BodyOf<typeof createWebhookEndpoint>['authentication'];

const oauthNames = ['clientId', 'clientSecret', 'authUrl'] as const;
const basicNames = ['username', 'password'] as const;

/** Undefined: not sent. Null on the wire removes the authentication. */
export const checkAuthentication = async (
  network: WebhookNetwork,
  { environment }: Tenant,
  given: Given,
): Promise<EndpointAuthentication | undefined> => {
  if (given === undefined) return undefined;
  if (given === null) return { kind: 'NONE' };
  const isOAuth = oauthNames.some((name) => given[name] !== undefined);
  const isBasic = basicNames.some((name) => given[name] !== undefined);
  if (isOAuth === isBasic)
    throw refusal(
      'authentication takes clientId, clientSecret and authUrl, or username and password',
    );
  const names: readonly (keyof typeof given)[] = isOAuth ? oauthNames : basicNames;
  const errors = names
    .filter((name) => given[name] === undefined)
    .map((name) => required(`authentication.${name}`));
  if (errors.length > 0) throw refusal(errors[0]?.message ?? '', errors);
  const { username = '', password = '' } = given;
  if (isBasic) {
    if (username.includes(':')) throw refusal('authentication.username must not hold a colon');
    return { kind: 'BASIC', username, password };
  }
  const { clientId = '', clientSecret = '', authUrl = '' } = given;
  await checkUrl(network, environment, 'authentication.authUrl', authUrl);
  return { kind: 'OAUTH2', clientId, clientSecret, authUrl };
};

const required = (field: string): FieldError => ({ field, message: `${field} is required` });

const refusal = (message: string, errors?: readonly FieldError[]): Failure =>
  new Failure(failures.badRequest, {
    message: `${message}.`,
    errors: errors ?? [{ field: message.split(' ')[0] ?? '', message }],
  });

export const encryptAuthentication = (
  secrets: Secrets,
  tenant: Tenant,
  endpointId: string,
  authentication: EndpointAuthentication,
): { readonly authKind: string; readonly authEncrypted: Buffer | null } => ({
  authKind: authentication.kind,
  authEncrypted:
    authentication.kind === 'NONE'
      ? null
      : secrets.encrypt(JSON.stringify(authentication), authenticationContext(tenant, endpointId)),
});

export const decryptAuthentication = (
  secrets: Secrets,
  tenant: Tenant,
  endpointId: string,
  authEncrypted: Buffer | null,
): EndpointAuthentication =>
  authEncrypted === null
    ? { kind: 'NONE' }
    : JSON.parse(secrets.decryptText(authEncrypted, authenticationContext(tenant, endpointId)));

export const authenticationContext = (tenant: Tenant, endpointId: string): SecretContext => ({
  table: 'webhook_endpoint',
  row: `${tenant.merchantId}/${tenant.environment}/${endpointId}`,
  column: 'auth_encrypted',
});
