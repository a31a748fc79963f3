import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { updateExpiry } from './store/expiry.ts';

/** How long requests live from now on that do not say so; null: as the contract says (REQUEST-5). */
export const setExpiry = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  expiresInMs: number | null,
): Promise<void> => {
  await database.tenant(tenant.merchantId, updateExpiry, { ...tenant, expiresInMs });
};
