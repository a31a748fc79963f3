import { type Change, noteRefund } from '../core/change-refunds.ts';

const minute = 60_000;
/** Accepted money arrives within a business day: after that somebody has to ask the bank. */
const alertAfterMs = 24 * 60 * minute;
const shortestPauseMs = 5_000;
const longestPauseMs = 30 * minute;
/** It is looked at again after this part of its age, so that a long wait is not written all the time. */
const partOfAge = 1 / 20;

/** Until the money of its payment has arrived; with a case when that takes a day. */
export const waitForSettlement = (change: Change): true => {
  const { now, createdAt, dueBusinessAt: planned } = change.refund;
  const nowMs = now.getTime();
  const alertMs = createdAt.getTime() + alertAfterMs;
  const pauseMs = Math.max(shortestPauseMs, (nowMs - createdAt.getTime()) * partOfAge);
  const nextMs = nowMs + Math.min(pauseMs, longestPauseMs);
  const dueMs = nowMs < alertMs ? Math.min(nextMs, alertMs) : nextMs;
  noteRefund(change, { waitsFor: 'SETTLEMENT', dueBusinessAt: new Date(dueMs) });
  // Once: a person may resolve the case while the refund waits on.
  const isFirst = planned === null || planned.getTime() <= alertMs;
  if (isFirst && nowMs >= alertMs) change.cases.push(notArrived(change.refund));
  return true;
};

const notArrived = ({ refundId, paymentRequestId, amountPence }: Change['refund']) => ({
  kind: 'REFUND_OVERDUE' as const,
  subject: refundId,
  description:
    'A refund waits for the money of its payment, which has not arrived for a day. Ask the bank ' +
    'where the money is.',
  evidence: {
    refundId,
    paymentRequestId,
    amountPence: Number(amountPence),
    waitsFor: 'SETTLEMENT',
  },
});
