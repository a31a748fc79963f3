import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { listSecrets, type SecretRow } from './store/secrets.ts';

const secretsMax = 200;

/** What may be shown of the secrets of one environment, the oldest first. */
export const listAccessSecrets = async (
  tools: Uses<'database'>,
  tenant: Tenant,
): Promise<readonly SecretRow[]> =>
  tools.database.tenant(tenant.merchantId, listSecrets, { ...tenant, limit: secretsMax });
