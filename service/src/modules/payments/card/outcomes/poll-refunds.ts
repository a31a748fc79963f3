import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { changePayment } from '../../core/change-payment.ts';
import { noteAttempt } from '../../core/draft-change.ts';
import { openRailState } from '../../core/open-rail-state.ts';
import { type Attempt, findAttempt, type Payment } from '../../core/payment.ts';
import type { RecordTools } from './record-card-outcome.ts';
import { recordRefunds } from './record-refunds.ts';
import { recordLateRefundFailure } from './refund-late-payment.ts';
import { findOwnRefunds } from './store/find-own-refunds.ts';

/** Reads one by one what of a payment went back to its card (REFUND-9), at any time, any number of times. */
export const pollRefunds = async (
  tools: RecordTools,
  rail: CardRail,
  payment: Payment,
  attempt: Attempt,
): Promise<Payment> => {
  const state = openRailState(tools.secrets, attempt);
  if (state === null) return payment;
  if (attempt.endedReason === 'REFUNDED_LATE') {
    const outcome = await rail.readRefund(state);
    if (outcome.kind === 'UNKNOWN') throw notRead(outcome.description);
    return recordLateRefundFailure(tools, payment, attempt, outcome);
  }
  if (attempt.status !== 'COMPLETED') return payment;
  const read = await rail.readRefunds(state);
  if (read.kind === 'UNKNOWN') throw notRead(read.description);
  const { tenant, paymentRequestId } = payment;
  const { attemptId } = attempt;
  // After the processor: what is ours there was committed here before it was sent.
  const own = await tools.database.tenant(tenant.merchantId, findOwnRefunds, {
    ...tenant,
    attemptId,
  });
  const ownRefundIds = new Set(own.map((row) => row.refund_id));
  return changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const now = findAttempt(current, attemptId);
    if (now?.status !== 'COMPLETED') return false;
    if (recordRefunds(tools, change, now, read.refunds, ownRefundIds)) return true;
    // It was to be read again, and now nothing is missing.
    if (now.pollBusinessAt !== null) noteAttempt(change, attemptId, { pollBusinessAt: null });
    return now.pollBusinessAt !== null;
  });
};

/** The processor sends its event again, and a job tries again. */
const notRead = (message: string): Failure =>
  new Failure(failures.unavailable, { message, retryAfterSeconds: 5 });
