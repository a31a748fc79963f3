import { type BodyOf, failures, limits } from '@florin/contract';
import type {
  createStore as createOperation,
  changeStore as operation,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { insertOwnStore, updateStore } from './store/own-stores.ts';

/** Name, address, and whether it takes new requests. What is left out stays. */
export const changeStore = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  storeId: string,
  changes: BodyOf<typeof operation>,
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

const addressOf = (given: BodyOf<typeof operation>) => ({
  addressLine1: given.addressLine1?.trim() ?? null,
  addressLine2: given.addressLine2?.trim() ?? null,
  postalCode: given.postalCode?.trim() ?? null,
  city: given.city?.trim() ?? null,
});

export const unknownOwnStore = (): Failure =>
  new Failure(failures.notFound, { message: 'There is no store with this id.' });
