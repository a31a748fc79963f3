import type { Tenant } from '#kernel/environment.ts';
import type { Operator } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { awaitSwitchReaders } from './await-switch-readers.ts';
import { insertSuspension } from './store/suspensions.ts';

/**
 * Once it has answered, nothing new of this merchant appears: what starts something reads the suspension
 * in its own statement, and statements that began before are awaited (ACCESS-12).
 */
export const suspendMerchant = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  reason: string,
  { name: suspendedBy }: Pick<Operator, 'name'>,
): Promise<void> => {
  const suspensionId = tools.ids.uuid();
  const values = { ...tenant, suspensionId, reason: reason.trim(), suspendedBy };
  await tools.database.tenant(tenant.merchantId, insertSuspension, values);
  await awaitSwitchReaders(tools);
};
