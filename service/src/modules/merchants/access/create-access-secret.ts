import { createHash } from 'node:crypto';
import { failures } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { merchantSuspended } from '../suspensions/merchant-suspended.ts';
import { mintAccessSecret } from './access-secret.ts';
import { isAllowedOrigin, isAllowedRedirectUrl } from './is-allowed.ts';
import { accessSecretContext } from './signing-secret.ts';
import { insertSecrets, type NewSecretRows } from './store/secrets.ts';

export type SecretOptions = {
  readonly name?: string;
  readonly redirectUrl?: string | null;
  readonly webOrigins?: readonly string[];
  readonly isReadOnly?: boolean;
  readonly expiresAt?: Date | null;
  /** A member makes it. */
  readonly isOwn?: boolean;
};

/** Shown once. */
export type MintedSecret = { readonly secretId: string; readonly secret: string };

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ]{0,49}$/u;
const webOriginsMax = 20;

export const createAccessSecret = async (
  tools: Uses<'database' | 'ids' | 'secrets'>,
  tenant: Tenant,
  options: SecretOptions = {},
): Promise<MintedSecret> => {
  const { rows, minted } = newSecrets(tools, tenant.merchantId, [tenant.environment], options);
  const [done] = await tools.database.tenant(tenant.merchantId, insertSecrets, rows);
  if (!done?.inserted) throw merchantSuspended();
  const [first] = minted;
  if (!first) throw new Error('no secret was minted');
  return first;
};

/** The rows of one secret per environment, and what is shown of them. */
export const newSecrets = (
  tools: Uses<'ids' | 'secrets'>,
  merchantId: string,
  environments: readonly Environment[],
  options: SecretOptions,
): { readonly rows: NewSecretRows; readonly minted: readonly MintedSecret[] } => {
  const { name = 'Default', redirectUrl = null, webOrigins = [] } = options;
  for (const environment of environments)
    requireSecretOptions(environment, name, redirectUrl, webOrigins);
  const minted = environments.map((environment) => ({
    secretId: tools.ids.uuid(),
    secret: mintAccessSecret(environment, tools.ids.bytes),
    environment,
  }));
  const rows = {
    merchantId,
    environments,
    secretIds: minted.map(({ secretId }) => secretId),
    secretNames: minted.map(() => name),
    lastFours: minted.map(({ secret }) => secret.slice(-4)),
    secretsEncrypted: minted.map(({ secret, secretId, environment }) =>
      tools.secrets.encrypt(secret, accessSecretContext({ merchantId, environment }, secretId)),
    ),
    secretsSha256: minted.map(({ secret }) => createHash('sha256').update(secret).digest()),
    redirectUrl,
    webOrigins,
    isReadOnly: options.isReadOnly ?? false,
    expiresAt: options.expiresAt ?? null,
    stopsIfSuspended: options.isOwn ?? false,
  };
  return { rows, minted: minted.map(({ secretId, secret }) => ({ secretId, secret })) };
};

/** 400 for what a secret cannot have. */
export const requireSecretOptions = (
  environment: Environment,
  name: string,
  redirectUrl: string | null,
  webOrigins: readonly string[],
): void => {
  const refuse = (field: string, message: string) => {
    const errors = [{ field, message: `${field} ${message}` }];
    throw new Failure(failures.badRequest, { message: `${field} ${message}.`, errors });
  };
  if (!namePattern.test(name)) refuse('name', 'must be 1 to 50 letters, digits and spaces');
  if (redirectUrl !== null && !isAllowedRedirectUrl(redirectUrl, environment))
    refuse('redirectUrl', 'is not an address that a customer can be sent to');
  if (webOrigins.length > webOriginsMax) refuse('webOrigins', `must be at most ${webOriginsMax}`);
  if (!webOrigins.every((origin) => isAllowedOrigin(origin, environment)))
    refuse('webOrigins', 'must be origins as in https://shop.example.com');
};
