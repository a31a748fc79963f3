import type { ReplyOf, rotateSigningSecret } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { listSecrets, type SigningSecretRow } from './store/signing-secrets.ts';

type Listed = ReplyOf<typeof rotateSigningSecret>['signing'][number];

/** What signs a delivery that leaves now. */
export const listSigningSecrets = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<Listed[]> =>
  (await database.tenant(tenant.merchantId, listSecrets, tenant)).map((row) => ({
    role: roleOf(row),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
  }));

const roleOf = ({ is_next, expires_at }: SigningSecretRow): Listed['role'] => {
  if (is_next) return 'NEXT';
  return expires_at === null ? 'CURRENT' : 'PREVIOUS';
};
