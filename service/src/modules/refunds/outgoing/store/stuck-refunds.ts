import { limits } from '@florin/contract';
import { stuckRows } from '#platform/database/stuck-rows.ts';

const ofRefund = {
  merchantId: 'w.merchant_id',
  workId: 'w.refund_id',
  paymentRequestId: 'w.payment_request_id',
  dueAt: 'w.due_at',
} as const;

/** Refunds that are not handed over or not polled. One that waits is looked at again every few seconds. */
export const stuckRefunds = [
  stuckRows({
    ...{ ...ofRefund, kind: 'HAND_OVER_REFUND', since: 'w.created_at' },
    from: `refund w
       join merchant_switch o on o.merchant_id = w.merchant_id and o.environment = w.environment`,
    where: `w.step = 'WAITING'
        and (w.status = 'INITIATED' or w.method = 'CARD' or not o.transfer_hub_paused)`,
    longestPause: '1 minute',
    openHours: limits.stuckRefundHours,
  }),
  stuckRows({
    ...{ ...ofRefund, kind: 'POLL_REFUND', leasedUntil: 'w.leased_until' },
    ...{ from: 'refund w', where: `w.step = 'HANDED_OVER'` },
  }),
];
