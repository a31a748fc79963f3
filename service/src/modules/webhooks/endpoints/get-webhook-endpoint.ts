import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { missing } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import { endpointView } from './endpoint-view.ts';
import { findEndpoint, readEndpoint } from './store/endpoints.ts';

export const getWebhookEndpoint = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  endpointId: string,
) => {
  const values = { ...tenant, endpointId };
  const [row] = await tools.database.tenant(tenant.merchantId, readEndpoint, values);
  if (!row) throw await missingEndpoint(tools, tenant, endpointId);
  return endpointView(row);
};

export const missingEndpoint = (tools: Uses<'database'>, tenant: Tenant, endpointId: string) =>
  missing(tenant, 'No webhook endpoint was found under this id.', async (elsewhere) => {
    const values = { ...elsewhere, endpointId };
    const [row] = await tools.database.tenant(tenant.merchantId, findEndpoint, values);
    return row !== undefined && !row.is_deleted;
  });

/**
 * Of either version. The log of a deleted endpoint can be read, but nothing is sent to it again; a
 * paused one gets nothing before it is resumed.
 */
export const requireEndpoint = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  endpointId: string,
  needed: 'ANY' | 'PRESENT' | 'ACTIVE' = 'ANY',
): Promise<void> => {
  const values = { ...tenant, endpointId };
  const [row] = await tools.database.tenant(tenant.merchantId, findEndpoint, values);
  if (!row || (needed !== 'ANY' && row.is_deleted))
    throw await missingEndpoint(tools, tenant, endpointId);
  if (needed === 'ACTIVE' && row.is_paused) throw isPaused();
};

const isPaused = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'The endpoint is paused: let it go on before you replay to it.',
  });
