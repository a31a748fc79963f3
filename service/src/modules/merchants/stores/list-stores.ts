import type { listStores as operation, QueryOf, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { listStoreRows, type StoreRow } from './store/stores.ts';

type Reply = ReplyOf<typeof operation>;

export const listStores = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof operation>,
): Promise<Reply> => {
  const values = { ...tenant, limit: size, skipped: page * size };
  const rows = await tools.database.tenant(tenant.merchantId, listStoreRows, values);
  const data = rows.flatMap((row) => (row.store_id === null ? [] : [storeView(row)]));
  return { page, size, data, totalCount: Number(rows[0]?.total ?? 0) };
};

const storeView = (row: StoreRow): Reply['data'][number] => ({
  id: row.store_id,
  locationName: row.location_name,
  addressLine1: row.address_line_1,
  addressLine2: row.address_line_2,
  addressPostalCode: row.postal_code,
  cityOrTown: row.city,
  primary: row.is_primary,
  enabled: row.is_enabled,
  images: row.image_url === null ? [] : [row.image_url],
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
