import { getIdentity, listStores } from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { readMerchant } from './settings/merchant.ts';
import { listStores as list } from './stores/stores.ts';

export const merchantRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(listStores, async ({ query }, { tenant }) => ({
    ...(await list(tools, tenant, query)),
    page: String(query.page),
  })),
  route(getIdentity, async (_, { tenant, secretId }) => {
    const { merchantId, businessName } = await readMerchant(tools, tenant);
    const key = { sdkAccessId: secretId, env: tenant.environment, keyType: 'SDK' };
    return { merchantId, businessName, key };
  }),
];
