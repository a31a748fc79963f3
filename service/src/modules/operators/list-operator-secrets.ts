import type { Uses } from '#platform/tools.ts';
import { listOperatorSecretRows } from './store/operator-secrets.ts';

export const listOperatorSecrets = async ({ database }: Uses<'database'>) =>
  (await database.system(listOperatorSecretRows, {})).map((row) => ({
    operatorSecretId: row.operator_secret_id,
    name: row.name,
    lastFour: row.last_four,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }));
