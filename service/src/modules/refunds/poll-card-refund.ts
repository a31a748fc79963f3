import type { Tenant } from '#kernel/environment.ts';
import type { HandOverTools } from './hand-over.ts';
import { recordCardRefund } from './record-card-refund.ts';
import { openRefundState } from './refund-state.ts';
import { readRefund } from './store/read-refunds.ts';

/** Polls the processor for the outcome of a refund, also of one whose sending was lost. */
export const pollCardRefund = async (
  tools: HandOverTools,
  tenant: Tenant,
  refundId: string,
): Promise<void> => {
  const refund = await readRefund(tools.database, tenant, refundId);
  const rail = await tools.cardRails.find(tenant);
  const state = refund && openRefundState(tools.secrets, refund);
  if (!rail || !state) return;
  await recordCardRefund(tools, tenant, refundId, await rail.readRefund(state));
};
