import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { CardRefundOutcome } from '#rails/card-rail.ts';
import type { HandOverTools } from './hand-over.ts';
import { recordCardRefund } from './record-card-refund.ts';
import { openRefundState } from './refund-state.ts';
import { readRefund } from './store/read-refunds.ts';

type PollTools = Omit<HandOverTools, 'transferRails' | 'log'>;

/** Polls the processor for the outcome of a refund, also of one whose sending was lost. */
export const pollCardRefund = async (
  tools: PollTools,
  tenant: Tenant,
  refundId: string,
): Promise<CardRefundOutcome | null> => {
  const refund = await readRefund(tools.database, tenant, refundId);
  const rail = await tools.cardRails.find(tenant);
  const state = refund && openRefundState(tools.secrets, refund);
  if (!rail || !state) return null;
  const outcome = await rail.readRefund(state);
  await recordCardRefund(tools, tenant, refundId, outcome);
  return outcome;
};

/** After an event of the processor, which sends it again when this fails. */
export const followCardRefund = async (
  tools: PollTools,
  tenant: Tenant,
  refundId: string,
): Promise<void> => {
  const outcome = isUuid(refundId) ? await pollCardRefund(tools, tenant, refundId) : null;
  if (outcome?.kind === 'UNKNOWN')
    throw new Failure(failures.unavailable, { message: outcome.description });
};
