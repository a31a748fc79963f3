import type { Tenant } from '#kernel/environment.ts';
import type { Operator } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { endSuspension, findSuspension } from './store/suspensions.ts';

/** What was held goes on: the next jobs find it due. */
export const resumeMerchant = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { name: resumedBy }: Pick<Operator, 'name'>,
): Promise<void> => {
  const [current] = await database.tenant(tenant.merchantId, findSuspension, tenant);
  if (!current) return;
  const values = { ...tenant, suspensionId: current.suspension_id, resumedBy };
  await database.tenant(tenant.merchantId, endSuspension, values);
};
