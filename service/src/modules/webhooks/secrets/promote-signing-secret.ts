import { failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { listSigningSecrets } from './list-signing-secrets.ts';
import { promoteSecret } from './store/signing-secrets.ts';

/** The staged secret replaces the current one, which signs beside it for a while. */
export const promoteSigningSecret = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  overlapHours: number = limits.webhookSecretOverlapHours,
) => {
  const values = { ...tenant, overlapHours };
  const [row] = await tools.database.tenant(tenant.merchantId, promoteSecret, values);
  if (!row) throw noneStaged();
  return {
    signsSince: row.created_at.toISOString(),
    previousExpiresAt: row.previous_expires_at?.toISOString() ?? null,
    signing: await listSigningSecrets(tools, tenant),
  };
};

const noneStaged = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'No signing secret is staged: stage the next one first.',
  });
