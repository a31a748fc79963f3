import type { Tenant } from '#kernel/environment.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import type { SecretContext } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import { findSigningSecret } from './store/secrets.ts';

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

export const accessSecretContext = (tenant: Tenant, secretId: string): SecretContext => ({
  table: 'access_secret',
  row: `${tenant.merchantId}/${tenant.environment}/${secretId}`,
  column: 'secret_encrypted',
});
