import type { Tenant } from '#kernel/environment.ts';
import { penceFromPounds } from '#kernel/pence.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import { updateRefundApproval } from './store/refund-approval.ts';

/** Above so many pounds a member's refund needs a second person; null: none does (REFUND-11). */
export const setRefundApproval = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  above: number | null,
): Promise<void> => {
  const abovePence = above === null ? null : penceFromPounds(above);
  if (above !== null && abovePence === null) {
    const message = 'refundApprovalAbove must be pounds with at most two decimals';
    throw badField('refundApprovalAbove', message, `${message}.`);
  }
  await database.tenant(tenant.merchantId, updateRefundApproval, {
    ...tenant,
    abovePence: abovePence?.toString() ?? null,
  });
};
