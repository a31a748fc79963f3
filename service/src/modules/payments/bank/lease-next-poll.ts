import type { Uses } from '#platform/tools.ts';
import { type Change, leasePoll } from '../core/draft-change.ts';
import { findAttempt, leaseFor, type Payment } from '../core/payment.ts';

type LeaseTools = Partial<Uses<'workAhead'>>;

const maxAheadMs = 60_000;
/** For a call that is answered late, or for another worker if this one has died. */
const leaseAfterMs = 5_000;

/**
 * Within a decision that has planned the next poll of an attempt: if this program polls itself and the time
 * is near, the statement leases that poll to it, so that no claim is needed (BANK-14).
 */
export const leaseNextPoll = (
  { workAhead }: LeaseTools,
  change: Change,
  attemptId: string,
): boolean => {
  const inMs = untilNextPoll(change.payment, attemptId);
  if (inMs === null || inMs > maxAheadMs || !workAhead?.ownPolls.hasRoom()) return false;
  leasePoll(change, attemptId, leaseFor(change.payment, inMs + leaseAfterMs));
  return true;
};

/** After that statement has committed. */
export const scheduleNextPoll = (
  { workAhead }: LeaseTools,
  payment: Payment,
  attemptId: string,
): void => {
  const { tenant, paymentRequestId } = payment;
  const attempt = findAttempt(payment, attemptId);
  const inMs = untilNextPoll(payment, attemptId);
  if (!attempt || inMs === null) return;
  const { institutionId, pollCount } = attempt;
  workAhead?.ownPolls.schedule({
    tenant,
    paymentRequestId,
    attemptId,
    institutionId: institutionId ?? '',
    pollCount,
    inMs,
  });
};

/** Only of a payment that the bank has: then two polls at once would do no harm. */
const untilNextPoll = (payment: Payment, attemptId: string): number | null => {
  const attempt = findAttempt(payment, attemptId);
  if (attempt?.step !== 'SUBMITTED' || attempt.pollBusinessAt === null) return null;
  return Math.max(0, attempt.pollBusinessAt.getTime() - payment.now.getTime());
};
