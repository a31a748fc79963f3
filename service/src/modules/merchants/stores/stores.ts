import {
  failures,
  type listStores as operation,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import { validateAccountDetails } from 'uk-modulus-check';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { collectingAccountSettings, collectingAccounts } from '#platform/config.ts';
import { numberedPage } from '#platform/database/pages.ts';
import { shown } from '#platform/database/rows.ts';
import { badField, wrongField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankAccount } from '#rails/bank-rail.ts';
import {
  findPayee,
  insertStoreRow,
  listStoreRows,
  type PayeeRow,
  type StoreRow,
  upsertCollectingAccount,
} from './store/stores.ts';

const accountNameLengthMax = 40;

/** A mistyped account is refused before money is sent to it: the banks' own modulus check. */
export const requireBankAccount = (account: BankAccount): void => {
  const { sortCode, accountNumber, name } = account;
  if (!/^[0-9]{6}$/.test(sortCode)) throw wrongField('sortCode', 'must have 6 digits');
  if (!/^[0-9]{8}$/.test(accountNumber)) throw wrongField('accountNumber', 'must have 8 digits');
  if (name.trim() === '' || name.length > accountNameLengthMax)
    throw wrongField('accountName', `must have 1 to ${accountNameLengthMax} characters`);
  if (!validateAccountDetails(sortCode, accountNumber))
    throw wrongField('accountNumber', 'does not belong to this sort code');
};

export type Store = {
  readonly storeId: string;
  readonly locationName: string;
  /** On one line; empty without an address. */
  readonly address: string;
  readonly imageUrl: string | null;
};

export type Payee = {
  readonly store: Store;
  readonly account: BankAccount;
  readonly settlesTo: 'COLLECTING_ACCOUNT' | 'STORE_ACCOUNT';
};

/**
 * The account that the bank pays for a requested payment: the operator's while payouts are on, else the
 * store's own (MONEY-4). A store that was archived since is still paid.
 */
export const payeeFor = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  storeId: string | null,
): Promise<Payee> => {
  const row = await payeeRow(tools, tenant, storeId, true);
  return row.payouts_enabled ? collecting(tenant, row) : direct(row);
};

/** The named enabled store, or the primary one; 400 when there is none (WIRE-7). */
export const findStore = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  storeId: string | null,
): Promise<Store> => storeOf(await payeeRow(tools, tenant, storeId, false));

const payeeRow = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  storeId: string | null,
  isRequested: boolean,
): Promise<PayeeRow> => {
  const values = { ...tenant, storeId, isRequested };
  const [row] = await tools.database.tenant(tenant.merchantId, findPayee, values);
  if (!row) throw unknownStore();
  return row;
};

export const unknownStore = (): Failure =>
  wrongField('storeId', 'is not an enabled store of this merchant');

const collecting = ({ environment }: Tenant, row: PayeeRow): Payee => {
  const sortCode = row.collecting_sort_code;
  const accountNumber = row.collecting_account_number;
  const name = row.collecting_account_name;
  if (sortCode === null || accountNumber === null || name === null)
    throw noCollectingAccount(environment);
  const account = { sortCode, accountNumber, name };
  return { store: storeOf(row), account, settlesTo: 'COLLECTING_ACCOUNT' };
};

export const noCollectingAccount = (environment: Environment): Failure => {
  const setting = collectingAccountSettings[environment];
  const message = `Payouts need a collecting account, and there is none: set ${setting}.`;
  return new Failure(failures.railNotConfigured, { message });
};

export const accountNeeded =
  'This business has no bank account in production yet: an owner sets it in the dashboard, under ' +
  'Settings, Stores.';

const direct = (row: PayeeRow): Payee => {
  if (row.is_placeholder) throw badField('storeId', accountNeeded);
  const { sort_code: sortCode, account_number: accountNumber, account_name: name } = row;
  if (sortCode === null || accountNumber === null || name === null)
    throw badField(
      'storeId',
      'storeId names a store without bank account',
      'This store has no bank account that could be paid.',
    );
  return {
    store: storeOf(row),
    account: { sortCode, accountNumber, name },
    settlesTo: 'STORE_ACCOUNT',
  };
};

const storeOf = (row: StoreRow): Store => ({
  storeId: row.store_id,
  locationName: row.location_name,
  address: [row.address_line_1, row.address_line_2, row.city, row.postal_code]
    .filter((line) => line !== '')
    .join(', '),
  imageUrl: row.image_url,
});

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

export const listStores = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof operation>,
): Promise<Omit<ReplyOf<typeof operation>, 'page'> & { readonly page: number }> => {
  const values = { ...tenant, limit: size, skipped: page * size };
  const rows = await tools.database.tenant(tenant.merchantId, listStoreRows, values);
  return numberedPage(rows, { page, size }, (row) => (row.id === null ? null : shown(row)));
};

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
