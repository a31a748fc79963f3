import { collectingAccountSettings, collectingAccounts } from '#platform/config.ts';
import type { Uses } from '#platform/tools.ts';
import { requireBankAccount } from './bank-account.ts';
import { upsertCollectingAccount } from './store/stores.ts';

/** At every start: the operator's accounts follow the settings. */
export const setCollectingAccounts = async (tools: Uses<'database' | 'config'>): Promise<void> => {
  for (const { environment, account } of collectingAccounts(tools.config)) {
    try {
      requireBankAccount(account);
    } catch (error) {
      const setting = collectingAccountSettings[environment];
      throw new Error(`${setting}: ${(error as Error).message}`, { cause: error });
    }
    await tools.database.system(upsertCollectingAccount, {
      environment,
      sortCode: account.sortCode,
      accountNumber: account.accountNumber,
      accountName: account.name,
    });
  }
};
