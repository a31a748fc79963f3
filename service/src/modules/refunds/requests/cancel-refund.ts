import { type cancelRefund as described, failures, type ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { missingPublicId, readMerchant } from '#modules/merchants/index.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { changeRefund, moveRefund } from '../core/change-refunds.ts';
import type { Refund } from '../core/refund.ts';
import { readRefund } from '../core/store/read-refunds.ts';

/** Only before the hand-over: either the cancellation or the hand-over wins. */
export const cancelRefund = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  tenant: Tenant,
  refundId: string,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<ReplyOf<typeof described>> => {
  const found = await readRefund(tools.database, tenant, refundId);
  if (!found) {
    const message = 'There is no refund with this id.';
    throw await missingPublicId(tools, tenant, message, refundId, 'REFUND');
  }
  const { isRepeat } = await beginOnce(tools, decideOnce, async () => {
    await requireRealBank(tools, found);
    if (found.step !== 'WAITING') throw wrongState(found);
    return refundId;
  });
  await changeRefund(tools, tenant, refundId, (refund, change) => {
    if (isRepeat && refund.status === 'CANCELLED') return false;
    if (refund.step !== 'WAITING') throw wrongState(refund);
    moveRefund(tools, change, 'cancelled');
    return true;
  });
  return { status: 200, message: 'Refund cancelled successfully', refundId };
};

/** In the sandbox a refund is on its way at once (REFUND-5). */
const requireRealBank = async (
  tools: Uses<'database'>,
  { tenant, step }: Refund,
): Promise<void> => {
  if (tenant.environment !== 'SANDBOX' || step !== 'WAITING') return;
  const { switches } = await readMerchant(tools, tenant);
  if (switches.transferHubPaused) return;
  throw new Failure(failures.invalidState, {
    message:
      'A sandbox refund is handed over at once, so it cannot be cancelled. ' +
      'Pause the transfer hub first: POST /api/sandbox/switches {"transferHubPaused": true}.',
  });
};

const wrongState = ({ status }: Refund): Failure =>
  new Failure(failures.invalidState, {
    message:
      status === 'PENDING'
        ? 'This refund was handed over to the bank already.'
        : `This refund is ${status}: it cannot be cancelled any more.`,
  });
