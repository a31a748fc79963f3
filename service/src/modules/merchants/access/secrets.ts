import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { BodyOf, createMerchantSecret } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import { badField, wrongField } from '#platform/http/error-reply.ts';
import type { SecretContext } from '#platform/secrets/open-secrets.ts';
import {
  type EncryptedColumn,
  encryptedColumn,
  type RecordRow,
} from '#platform/secrets/reencrypt-records.ts';
import type { Uses } from '#platform/tools.ts';
import { merchantSuspended } from '../suspensions/suspensions.ts';
import { findSigningSecret, insertSecrets, type NewSecretRows } from './store.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomByteCount = 24;
const randomLength = 33;
const checksumLength = 6;
const pattern = /^florin_(sandbox|production|operator)_[0-9A-Za-z]{39}$/;

/**
 * Recognisable in a leak, 192 random bits, and a checksum that detects a typo without a look-up.
 */
export const mintAccessSecret = (
  owner: Environment | 'OPERATOR',
  bytes: (count: number) => Buffer,
): string => {
  const random = BigInt(`0x${bytes(randomByteCount).toString('hex')}`);
  const body = `florin_${owner.toLowerCase()}_${base62(random, randomLength)}`;
  return body + checksum(body);
};

/** Of a merchant, or of an operator; the two are never taken for each other. */
export const isAccessSecret = (text: string, ofOperator = false): boolean => {
  const [, owner] = pattern.exec(text) ?? [];
  if (owner === undefined || (owner === 'operator') !== ofOperator) return false;
  return text.endsWith(checksum(text.slice(0, -checksumLength)));
};

const checksum = (body: string): string => base62(BigInt(crc32(body)), checksumLength);

const base62 = (value: bigint, length: number): string => {
  let rest = value;
  let written = '';
  while (written.length < length) {
    written = digits[Number(rest % 62n)] + written;
    rest /= 62n;
  }
  return written;
};

export type SigningSecret = { readonly secretId: string; readonly secret: string };

const rememberedMax = 1_000;

/**
 * The plain text that signs in v1: of the secret that created the payment, even after it was
 * revoked; else of the oldest active one (WEBHOOK-8). Null when the merchant has none.
 */
export const signingSecret = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  secretId: string | null,
): Promise<SigningSecret | null> => {
  const values = { ...tenant, secretId };
  const [row] = await tools.database.tenant(tenant.merchantId, findSigningSecret, values);
  if (!row) return null;
  const context = accessSecretContext(tenant, row.secret_id);
  const secret = tools.secrets.decryptText(row.secret_encrypted, context);
  return { secretId: row.secret_id, secret };
};

/** The same for hot paths: a secret never changes, so it is cached. */
export const rememberSigningSecrets = (tools: Uses<'database' | 'secrets'>) => {
  const remembered = new Map<string, SigningSecret>();
  return async (tenant: Tenant, secretId: string | null): Promise<SigningSecret | null> => {
    const key = `${tenant.merchantId}/${tenant.environment}/${secretId}`;
    const known = remembered.get(key);
    if (known) return known;
    const found = await signingSecret(tools, tenant, secretId);
    if (found?.secretId !== secretId) return found;
    setBounded(remembered, key, found, rememberedMax);
    return found;
  };
};

const accessSecretContext = (tenant: Tenant, secretId: string): SecretContext => ({
  table: 'access_secret',
  row: `${tenant.merchantId}/${tenant.environment}/${secretId}`,
  column: 'secret_encrypted',
});

/** An app's own scheme in reverse-domain form, as RFC 8252 (7.1) requires: `com.example.shop:`. */
const appScheme = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

/** REQUEST-10: where a customer may be returned to. */
export const isAllowedRedirectUrl = (text: string, environment: Environment): boolean => {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'http:') return environment === 'SANDBOX';
  return protocol === 'https:' || appScheme.test(protocol);
};

/** Any port of the developer's own machine, in the sandbox only. */
const isAllowedLocally = (text: string, environment: Environment): boolean =>
  environment === 'SANDBOX' && /^http:\/\/(localhost|127\.0\.0\.1):\*$/.test(text);

/** An origin exactly as a browser sends it, or `http://localhost:*` in the sandbox. */
export const isAllowedOrigin = (text: string, environment: Environment): boolean => {
  if (isAllowedLocally(text, environment)) return true;
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  const isOffered = protocol === 'https:' || (protocol === 'http:' && environment === 'SANDBOX');
  return isOffered && origin === text;
};

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
  if (!namePattern.test(name))
    throw wrongField('name', 'must be 1 to 50 letters, digits and spaces');
  if (redirectUrl !== null && !isAllowedRedirectUrl(redirectUrl, environment))
    throw wrongField('redirectUrl', 'is not an address that a customer can be sent to');
  if (webOrigins.length > webOriginsMax)
    throw wrongField('webOrigins', `must be at most ${webOriginsMax}`);
  if (!webOrigins.every((origin) => isAllowedOrigin(origin, environment)))
    throw wrongField('webOrigins', 'must be origins as in https://shop.example.com');
};

/** As a member or the operator asks for it. A secret that has expired already would be a mistake. */
export const addAccessSecret = async (
  tools: Uses<'database' | 'ids' | 'secrets' | 'clock'>,
  tenant: Tenant,
  { scope, expiresAt, ...options }: BodyOf<typeof createMerchantSecret>,
  by: { readonly isOwn: boolean } = { isOwn: false },
): Promise<MintedSecret> => {
  const ends = expiresAt ? new Date(expiresAt) : null;
  if (ends && !(ends > tools.clock.now()))
    throw badField('expiresAt', 'expiresAt must be in the future', 'expiresAt is in the past.');
  return createAccessSecret(tools, tenant, {
    ...options,
    ...by,
    isReadOnly: scope === 'READ',
    expiresAt: ends,
  });
};

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'access_secret',
    column: 'secret_encrypted',
    key: { secret_id: 'uuid' },
    contextOf: (row) => accessSecretContext(tenantOf(row), row.secret_id ?? ''),
  }),
];

const tenantOf = (row: RecordRow) =>
  ({ merchantId: row.merchant_id, environment: row.environment }) as Tenant;
