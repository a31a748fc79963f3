import { limits, type listMerchants, type ReplyOf } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { listSuspensionRows, type SuspensionRow } from './store/suspensions.ts';

export type Suspension = ReplyOf<typeof listMerchants>['data'][number]['suspensions'][number];

/** Of both environments, the newest first. */
export const listSuspensions = async (
  { database }: Uses<'database'>,
  merchantId: string,
): Promise<Suspension[]> => {
  const values = { merchantId, limit: limits.suspensionsShown };
  return (await database.tenant(merchantId, listSuspensionRows, values)).map(suspensionOf);
};

export const suspensionOf = (row: Omit<SuspensionRow, 'suspension_id'>): Suspension => ({
  environment: row.environment,
  reason: row.reason,
  suspendedAt: row.suspended_at.toISOString(),
  suspendedBy: row.suspended_by,
  resumedAt: row.resumed_at?.toISOString() ?? null,
  resumedBy: row.resumed_by,
});
