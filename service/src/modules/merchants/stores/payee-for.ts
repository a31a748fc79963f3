import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { collectingAccountSettings } from '#platform/config.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankAccount } from '#rails/bank-rail.ts';
import { findPayee, type PayeeRow, type StoreRow } from './store/stores.ts';

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
  badField(
    'storeId',
    'storeId is not an enabled store of this merchant',
    'storeId is not an enabled store of this merchant.',
  );

const collecting = ({ environment }: Tenant, row: PayeeRow): Payee => {
  const sortCode = row.collecting_sort_code;
  const accountNumber = row.collecting_account_number;
  const name = row.collecting_account_name;
  if (sortCode === null || accountNumber === null || name === null) {
    const setting = collectingAccountSettings[environment];
    const message = `Payouts are on, but there is no collecting account: set ${setting}.`;
    throw new Failure(failures.railNotConfigured, { message });
  }
  const account = { sortCode, accountNumber, name };
  return { store: storeOf(row), account, settlesTo: 'COLLECTING_ACCOUNT' };
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
