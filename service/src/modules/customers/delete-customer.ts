import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { missingCustomer } from './get-customer.ts';
import { removeCustomer } from './store.ts';

export const deleteCustomer = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
): Promise<{ readonly id: string }> => {
  const values = { ...tenant, customerId };
  const removed = await tools.database.tenant(tenant.merchantId, removeCustomer, values);
  if (removed.length === 0) throw await missingCustomer(tools, tenant, customerId);
  return { id: customerId };
};
