import type { listMerchants as operation, QueryOf, ReplyOf } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { suspensionOf } from '../suspensions/list-suspensions.ts';
import { type CurrentSuspension, listMerchantRows } from './store/merchants.ts';

/** The newest first. */
export const listMerchants = async (
  { database }: Uses<'database'>,
  { status, page, size }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const rows = await database.system(listMerchantRows, {
    limit: size,
    skipped: page * size,
    isSuspended: status ? status === 'SUSPENDED' : null,
  });
  const data = rows.flatMap((row) =>
    row.merchant_id === null
      ? []
      : [
          {
            merchantId: row.merchant_id,
            businessName: row.business_name,
            createdAt: row.created_at.toISOString(),
            suspensions: (row.suspensions ?? []).map(currentSuspension),
          },
        ],
  );
  return { page, size, data, totalCount: Number(rows[0]?.total ?? 0) };
};

const currentSuspension = (current: CurrentSuspension) =>
  suspensionOf({
    ...current,
    suspended_at: new Date(current.suspended_at),
    resumed_by: null,
    resumed_at: null,
  });
