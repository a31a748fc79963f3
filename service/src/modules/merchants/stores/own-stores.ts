import { type BodyOf, failures, limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type {
  createStore as createOperation,
  changeStore as operationChangeStore,
  listOwnStores as operationListOwnStores,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { numberedPage } from '#platform/database/pages.ts';
import { shown } from '#platform/database/rows.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  insertOwnStore,
  listOwnStoreRows,
  type OwnStoreRow,
  updateStore,
} from './store/own-stores.ts';

type Reply = ReplyOf<typeof operationListOwnStores>;

/** The stores with where their money goes, as far as a page needs to show it. */
export const listOwnStores = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof operationListOwnStores>,
): Promise<Reply> => {
  const values = { ...tenant, limit: size, skipped: page * size };
  const rows = await tools.database.tenant(tenant.merchantId, listOwnStoreRows, values);
  return numberedPage(rows, { page, size }, (row) =>
    row.store_id === null ? null : storeView(row),
  );
};

const storeView = (row: OwnStoreRow): Reply['data'][number] => ({
  ...shown(row),
  bankAccount: {
    name: row.account_name,
    sortCode: maskedSortCode(row.sort_code),
    accountNumber: maskedAccountNumber(row.account_number),
    changedAt: row.changed_at?.toISOString() ?? null,
    changedBy: row.person_name,
  },
});

export const maskedSortCode = (sortCode: string): string => `••••${sortCode.slice(-2)}`;

export const maskedAccountNumber = (accountNumber: string): string =>
  `••••${accountNumber.slice(-4)}`;

/** Name, address, and whether it takes new requests. What is left out stays. */
export const changeStore = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  storeId: string,
  changes: BodyOf<typeof operationChangeStore>,
): Promise<void> => {
  const [row] = await database.tenant(tenant.merchantId, updateStore, {
    ...tenant,
    storeId,
    locationName: changes.locationName?.trim() ?? null,
    ...addressOf(changes),
    isEnabled: changes.isEnabled ?? null,
  });
  if (!row) throw unknownOwnStore();
  if (row.is_changed) return;
  const message = 'The primary store takes the payments that name no store: it cannot be archived.';
  throw new Failure(failures.conflict, { message });
};

/** A store that is paid to the account of the primary one. */
export const createOwnStore = async (
  { database, ids }: Uses<'database' | 'ids'>,
  tenant: Tenant,
  input: BodyOf<typeof createOperation>,
  decideOnce: DecideOnce,
): Promise<string> => {
  const storeId = await decideOnce(async () => ids.uuid());
  const [row] = await database.tenant(tenant.merchantId, insertOwnStore, {
    ...tenant,
    storeId,
    locationName: input.locationName.trim(),
    ...addressOf(input),
    max: limits.storesPerMerchant,
  });
  if (row) return row.store_id;
  const message = `A merchant has at most ${limits.storesPerMerchant} stores.`;
  throw new Failure(failures.conflict, { message });
};

const addressOf = (given: BodyOf<typeof operationChangeStore>) => ({
  addressLine1: given.addressLine1?.trim() ?? null,
  addressLine2: given.addressLine2?.trim() ?? null,
  postalCode: given.postalCode?.trim() ?? null,
  city: given.city?.trim() ?? null,
});

export const unknownOwnStore = (): Failure =>
  new Failure(failures.notFound, { message: 'There is no store with this id.' });
