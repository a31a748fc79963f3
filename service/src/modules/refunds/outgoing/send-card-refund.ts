import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { recordCardRefund } from './record-card-refund.ts';

export type CardRefundToSend = {
  readonly rail: CardRail;
  readonly refundId: string;
  readonly state: string;
};

/** After its state is committed. A lost call is polled by the resolver. */
export const sendCardRefund = async (
  tools: Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'>,
  tenant: Tenant,
  { rail, refundId, state }: CardRefundToSend,
): Promise<void> => {
  try {
    await recordCardRefund(tools, tenant, refundId, await rail.refund(state));
  } catch (error) {
    tools.log.warn(
      { ...tenant, refundId, error: (error as Error).message },
      'the outcome of a card refund is selected for later',
    );
  }
};
