import { runInTurn } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { readAccounts } from './figures.ts';
import { addUpEntries, beginCounting, listTenantsToCount } from './store/money-days.ts';

const maxTenants = 200;

/** Counts the entries that readers had to add themselves. Safe to run anywhere, any number of times. */
export const addUpMoneyDays = async (tools: Uses<'database' | 'log'>): Promise<number> => {
  const { database } = tools;
  const accounts = readAccounts;
  const rows = await database.system(listTenantsToCount, { limit: maxTenants, accounts });
  const subjectOf = (row: { readonly merchant_id: string }) => row.merchant_id;
  await runInTurn(tools, 'MONEY_DAY', rows, subjectOf, async (row) => {
    const tenant = { merchantId: row.merchant_id, environment: row.environment };
    await database.tenant(tenant.merchantId, beginCounting, tenant);
    await database.tenant(tenant.merchantId, addUpEntries, { ...tenant, accounts });
  });
  // Entries go on coming, and the newest may wait for an open transaction: the next round will do.
  return 0;
};
