import type { listMerchants as operation, QueryOf, ReplyOf } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { listMerchantRows } from './store/merchants.ts';

/** The newest first. */
export const listMerchants = async (
  { database }: Uses<'database'>,
  { page, size }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const rows = await database.system(listMerchantRows, { limit: size, skipped: page * size });
  const data = rows.flatMap(({ merchant_id: merchantId, business_name, created_at }) =>
    merchantId === null
      ? []
      : [{ merchantId, businessName: business_name, createdAt: created_at.toISOString() }],
  );
  return { page, size, data, totalCount: Number(rows[0]?.total ?? 0) };
};
