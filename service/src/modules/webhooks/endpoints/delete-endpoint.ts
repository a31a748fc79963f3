import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { missingEndpoint } from './get-webhook-endpoint.ts';
import { deleteEndpoint as remove } from './store/endpoints.ts';

/**
 * Its pending deliveries are cancelled by the dispatcher, which sees the new version at its claim.
 */
export const deleteEndpoint = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  endpointId: string,
  apiVersion: 1 | 2,
): Promise<void> => {
  const values = { ...tenant, endpointId, apiVersion };
  const [row] = await tools.database.tenant(tenant.merchantId, remove, values);
  if (!row) throw await missingEndpoint(tools, tenant, endpointId);
  tools.wakeDispatcher([endpointId]);
};
