import type { listMerchantSecrets, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { listSecrets, type SecretRow } from './store/secrets.ts';

type Shown = ReplyOf<typeof listMerchantSecrets>['data'][number];

const secretsMax = 200;

/** What may be shown of the secrets of one environment, oldest first. */
export const listAccessSecrets = async (
  tools: Uses<'database'>,
  tenant: Tenant,
): Promise<readonly Shown[]> => {
  const values = { ...tenant, limit: secretsMax };
  return (await tools.database.tenant(tenant.merchantId, listSecrets, values)).map(shown);
};

const shown = (row: SecretRow): Shown => ({
  secretId: row.secret_id,
  name: row.name,
  lastFour: row.last_four,
  redirectUrl: row.redirect_url,
  webOrigins: [...row.web_origins],
  scope: row.is_read_only ? 'READ' : 'READ_WRITE',
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});
