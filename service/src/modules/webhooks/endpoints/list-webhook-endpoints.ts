import type { listWebhookEndpoints as operation, QueryOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { endpointView } from './endpoint-view.ts';
import { countEndpoints, listEndpoints } from './store/endpoints.ts';

export const listWebhookEndpoints = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof operation>,
) => {
  const call = tools.database.tenant;
  const [rows, [counted]] = await Promise.all([
    call(tenant.merchantId, listEndpoints, { ...tenant, size, skipped: page * size }),
    call(tenant.merchantId, countEndpoints, tenant),
  ]);
  return { data: rows.map(endpointView), totalCount: Number(counted?.total ?? 0), page, size };
};
