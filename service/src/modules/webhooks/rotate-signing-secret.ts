import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { SecretPlace } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import { rotateSecret } from './store/signing-secrets.ts';

const secretBytes = 32;
const prefix = 'whsec_';

/** Makes the tenant's signing secret, or the next one. The first switches it to v2 (decision 32). */
export const rotateSigningSecret = async (
  tools: Uses<'database' | 'ids' | 'secrets'>,
  tenant: Tenant,
  overlapHours: number = limits.webhookSecretOverlapHours,
) => {
  const secretId = tools.ids.uuid();
  const key = tools.ids.bytes(secretBytes);
  const [row] = await tools.database.tenant(tenant.merchantId, rotateSecret, {
    ...tenant,
    secretId,
    secretEncrypted: tools.secrets.encrypt(key, signingSecretPlace(tenant, secretId)),
    overlapHours,
  });
  if (!row) throw new Error('the signing secret was not written');
  return {
    signingSecret: `${prefix}${key.toString('base64')}`,
    createdAt: row.created_at.toISOString(),
    previousExpiresAt: row.previous_expires_at?.toISOString() ?? null,
  };
};

export const signingSecretPlace = (tenant: Tenant, secretId: string): SecretPlace => ({
  table: 'webhook_signing_secret',
  row: `${tenant.merchantId}/${tenant.environment}/${secretId}`,
  column: 'secret_encrypted',
});
