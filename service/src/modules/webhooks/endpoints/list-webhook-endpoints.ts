import type { listWebhookEndpoints as operation, QueryOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { countEndpoints, listEndpoints } from './store/endpoints.ts';
import { endpointView } from './view.ts';

export const listWebhookEndpoints = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof operation>,
) => {
  const ask = tools.database.tenant;
  const [rows, [counted]] = await Promise.all([
    ask(tenant.merchantId, listEndpoints, { ...tenant, size, skipped: page * size }),
    ask(tenant.merchantId, countEndpoints, tenant),
  ]);
  return { data: rows.map(endpointView), totalCount: Number(counted?.total ?? 0), page, size };
};
