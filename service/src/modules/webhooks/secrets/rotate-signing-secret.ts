import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { listSigningSecrets } from './list-signing-secrets.ts';
import { newSigningSecret, writeInTurn } from './new-signing-secret.ts';
import { rotateSecret } from './store/signing-secrets.ts';

/** Makes the tenant's signing secret, or the next one. The first switches it to v2 (WEBHOOK-9). */
export const rotateSigningSecret = async (
  tools: Uses<'database' | 'ids' | 'secrets'>,
  tenant: Tenant,
  overlapHours: number = limits.webhookSecretOverlapHours,
) => {
  const { shown, values } = newSigningSecret(tools, tenant);
  const [row] = await writeInTurn(() =>
    tools.database.tenant(tenant.merchantId, rotateSecret, { ...values, overlapHours }),
  );
  if (!row) throw new Error('the signing secret was not written');
  return {
    signingSecret: shown,
    createdAt: row.created_at.toISOString(),
    previousExpiresAt: row.previous_expires_at?.toISOString() ?? null,
    signing: await listSigningSecrets(tools, tenant),
  };
};
