import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listOwnStores as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { listOwnStoreRows, type OwnStoreRow } from './store/own-stores.ts';

type Reply = ReplyOf<typeof operation>;

/** The stores with where their money goes, as far as a page needs to show it. */
export const listOwnStores = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof operation>,
): Promise<Reply> => {
  const values = { ...tenant, limit: size, skipped: page * size };
  const rows = await tools.database.tenant(tenant.merchantId, listOwnStoreRows, values);
  const data = rows.flatMap((row) => (row.store_id === null ? [] : [storeView(row)]));
  return { page, size, data, totalCount: Number(rows[0]?.total ?? 0) };
};

const storeView = (row: OwnStoreRow): Reply['data'][number] => ({
  storeId: row.store_id,
  locationName: row.location_name,
  addressLine1: row.address_line_1,
  addressLine2: row.address_line_2,
  postalCode: row.postal_code,
  city: row.city,
  isPrimary: row.is_primary,
  isEnabled: row.is_enabled,
  bankAccount: {
    name: row.account_name,
    sortCode: maskedSortCode(row.sort_code),
    accountNumber: maskedAccountNumber(row.account_number),
    changedAt: row.changed_at?.toISOString() ?? null,
    changedBy: row.person_name,
  },
  createdAt: row.created_at.toISOString(),
});

export const maskedSortCode = (sortCode: string): string => `••••${sortCode.slice(-2)}`;

export const maskedAccountNumber = (accountNumber: string): string =>
  `••••${accountNumber.slice(-4)}`;
