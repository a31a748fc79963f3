import {
  setStoreAccount as accountOperation,
  changeStore as changeOperation,
  createStore as createOperation,
  listOwnStores as listOperation,
} from '@florin/contract/dashboard/index.ts';
import { changeStore, createOwnStore, listOwnStores } from '#modules/merchants/index.ts';
import { memberOf, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { setStoreAccount } from './set-store-account.ts';

/** DESK-9. */
export const storeRoutes = (tools: Uses<'database' | 'ids'>): readonly Route[] => [
  route(listOperation, ({ query }, { tenant }) => listOwnStores(tools, tenant, query)),
  route(createOperation, async ({ body, decideOnce }, { tenant }) => ({
    storeId: await createOwnStore(tools, tenant, body, decideOnce),
  })),
  route(changeOperation, async ({ params: { storeId }, body }, { tenant }) => {
    await changeStore(tools, tenant, storeId, body);
    return { storeId };
  }),
  route(accountOperation, async ({ params: { storeId }, body }, caller) => {
    const isChanged = await setStoreAccount(tools, caller, memberOf(caller), storeId, body);
    return { storeId, isChanged };
  }),
];
