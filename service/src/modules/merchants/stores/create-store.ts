import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankAccount } from '#rails/bank-rail.ts';
import { requireBankAccount } from './bank-account.ts';
import { insertStoreRow } from './store/stores.ts';

export type NewStore = {
  readonly locationName: string;
  readonly addressLine1?: string;
  readonly addressLine2?: string;
  readonly postalCode?: string;
  readonly city?: string;
  readonly bankAccount: BankAccount;
};

export const createStore = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  asked: NewStore,
): Promise<string> => {
  requireBankAccount(asked.bankAccount);
  const storeId = tools.ids.uuid();
  await tools.database.tenant(tenant.merchantId, insertStoreRow, {
    ...tenant,
    storeId,
    locationName: asked.locationName,
    addressLine1: asked.addressLine1 ?? '',
    addressLine2: asked.addressLine2 ?? '',
    postalCode: asked.postalCode ?? '',
    city: asked.city ?? '',
    sortCode: asked.bankAccount.sortCode,
    accountNumber: asked.bankAccount.accountNumber,
    accountName: asked.bankAccount.name,
  });
  return storeId;
};
