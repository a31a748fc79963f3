import { failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/begin-once.ts';
import type { Uses } from '#platform/tools.ts';
import { listSigningSecrets } from './list-signing-secrets.ts';
import { findStagedSecret, promoteSecret } from './store/signing-secrets.ts';

/** The staged secret replaces the current one, which signs beside it for a while. */
export const promoteSigningSecret = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  overlapHours: number = limits.webhookSecretOverlapHours,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  const find = async () => {
    const [staged] = await tools.database.tenant(tenant.merchantId, findStagedSecret, tenant);
    if (!staged) throw noneStaged();
    return staged.secret_id;
  };
  const { subject: secretId, isRepeat } = await beginOnce(tools, decideOnce, find);
  const values = { ...tenant, secretId, overlapHours };
  const [row] = await tools.database.tenant(tenant.merchantId, promoteSecret, values);
  if (!row && isRepeat) return promotedBefore(tools, tenant);
  if (!row) throw noneStaged();
  return {
    signsSince: row.created_at.toISOString(),
    previousExpiresAt: row.previous_expires_at?.toISOString() ?? null,
    signing: await listSigningSecrets(tools, tenant),
  };
};

const promotedBefore = async (tools: Uses<'database'>, tenant: Tenant) => {
  const signing = await listSigningSecrets(tools, tenant);
  const current = signing.find(({ role }) => role === 'CURRENT');
  if (!current) throw noneStaged();
  const previous = signing.find(({ role }) => role === 'PREVIOUS');
  return { signsSince: current.createdAt, previousExpiresAt: previous?.expiresAt ?? null, signing };
};

const noneStaged = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'No signing secret is staged: stage the next one first.',
  });
