import type { Tenant } from '../../../service/src/kernel/environment.ts';
import { createStore } from '../../../service/src/modules/merchants/index.ts';
import type { Tools } from '../../../service/src/platform/tools.ts';

/** Two of one account, and one of another. */
export const openStores = async (
  tools: Tools,
  tenant: Tenant,
  primaryId: string,
): Promise<readonly ModelStore[]> => {
  const open = async (bankAccount: (typeof modelAccounts)[number]): Promise<ModelStore> => ({
    storeId: await createStore(tools, tenant, { locationName: bankAccount.name, bankAccount }),
    account: `${bankAccount.sortCode}${bankAccount.accountNumber}`,
  });
  const shared = await open(modelAccounts[0]);
  return [{ storeId: primaryId, account: shared.account }, shared, await open(modelAccounts[1])];
};

export const modelAccounts = [
  { sortCode: '107999', accountNumber: '88837491', name: 'Two Shops' },
  { sortCode: '202959', accountNumber: '63748472', name: 'Third Shop' },
] as const;

export type ModelStore = { readonly storeId: string; readonly account: string };
