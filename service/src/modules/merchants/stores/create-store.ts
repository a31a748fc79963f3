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
  input: NewStore,
): Promise<string> => {
  requireBankAccount(input.bankAccount);
  const storeId = tools.ids.uuid();
  await tools.database.tenant(tenant.merchantId, insertStoreRow, {
    ...tenant,
    storeId,
    locationName: input.locationName,
    addressLine1: input.addressLine1 ?? '',
    addressLine2: input.addressLine2 ?? '',
    postalCode: input.postalCode ?? '',
    city: input.city ?? '',
    sortCode: input.bankAccount.sortCode,
    accountNumber: input.bankAccount.accountNumber,
    accountName: input.bankAccount.name,
  });
  return storeId;
};
