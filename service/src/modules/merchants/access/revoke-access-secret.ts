import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import type { Authentication } from './open-authentication.ts';
import { revokeSecret } from './store/secrets.ts';

/** At once in this process, within the few seconds of its memory in every other. */
export const revokeAccessSecret = async (
  tools: Uses<'database'>,
  authentication: Pick<Authentication, 'forget'>,
  tenant: Tenant,
  secretId: string,
): Promise<void> => {
  const values = { ...tenant, secretId };
  const revoked = await tools.database.tenant(tenant.merchantId, revokeSecret, values);
  authentication.forget(secretId);
  if (revoked.length === 0) throw new Failure(failures.notFound);
};
