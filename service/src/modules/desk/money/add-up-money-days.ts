import type { Uses } from '#platform/tools.ts';
import { readAccounts } from './figures.ts';
import { addUpEntries, beginCounting, listTenantsToCount } from './store/money-days.ts';

const maxTenants = 200;

/** Counts the entries that readers had to add themselves. Safe to run anywhere, any number of times. */
export const addUpMoneyDays = async ({ database }: Uses<'database'>): Promise<number> => {
  const accounts = readAccounts;
  for (const tenant of await database.system(listTenantsToCount, { limit: maxTenants, accounts })) {
    await database.tenant(tenant.merchantId, beginCounting, tenant);
    await database.tenant(tenant.merchantId, addUpEntries, { ...tenant, accounts });
  }
  // Entries go on coming, and the newest may wait for an open transaction: the next round will do.
  return 0;
};
