import type { Tenant } from '#kernel/environment.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/begin-once.ts';
import type { Uses } from '#platform/tools.ts';
import { missingEndpoint, requireEndpoint } from './get-webhook-endpoint.ts';
import { deleteEndpoint as remove } from './store/endpoints.ts';

/**
 * Its pending deliveries are cancelled by the dispatcher, which sees the new version at its claim.
 */
export const deleteEndpoint = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  tenant: Tenant,
  endpointId: string,
  apiVersion: 1 | 2,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<void> => {
  const find = async () => {
    await requireEndpoint(tools, tenant, endpointId, 'PRESENT');
    return endpointId;
  };
  const { isRepeat } = await beginOnce(tools, decideOnce, find);
  const values = { ...tenant, endpointId, apiVersion };
  const [row] = await tools.database.tenant(tenant.merchantId, remove, values);
  if (!row && !isRepeat) throw await missingEndpoint(tools, tenant, endpointId);
  tools.wakeDispatcher([endpointId]);
};
