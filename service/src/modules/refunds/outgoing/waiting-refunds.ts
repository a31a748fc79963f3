import type { Tenant } from '#kernel/environment.ts';
import { casesValue } from '#modules/operator-cases/index.ts';
import { DatabaseUnavailable, isTimeout } from '#platform/database/database-unavailable.ts';
import type { Uses } from '#platform/tools.ts';
import { type Change, noteRefund } from '../core/change-refunds.ts';
import { markHeld } from './store.ts';

const pauseMs = 5 * 60_000;

/** A refund that could not be decided or written, and why. */
export type HeldRefund = {
  readonly refundId: string;
  readonly version: number;
  readonly error: unknown;
};

/**
 * Noted with its reason and tried again later, so that the other refunds of the merchant go on. One whose row
 * is locked is tried again in the next round.
 */
export const holdRefund = async (
  { database, log }: Uses<'database' | 'log'>,
  tenant: Tenant,
  { refundId, version, error }: HeldRefund,
): Promise<void> => {
  const reason = reasonOf(error);
  log.warn({ ...tenant, refundId, error: reason }, 'a refund could not be handed over');
  const opened = {
    kind: 'REFUND_HELD' as const,
    subject: refundId,
    description:
      'A refund cannot be handed over. It is tried again every five minutes, and nothing waits for it.',
    evidence: { refundId, reason },
  };
  const cases = casesValue([{ resourceId: refundId, opened }]);
  const values = { ...tenant, refundId, version, pauseMs, cases };
  try {
    await database.tenant(tenant.merchantId, markHeld, values);
  } catch (failure) {
    if (!isTimeout(failure)) throw failure;
    log.warn({ ...tenant, refundId, error: reasonOf(failure) }, 'a refund could not be held');
  }
};

/** Not where the database is away: that is nobody's fault. What takes too long may wait for one row. */
export const isOfOne = (error: unknown): boolean =>
  isTimeout(error) || !(error instanceof DatabaseUnavailable);

/** The message of a parser may quote the text, which is an account. */
const reasonOf = (error: unknown): string =>
  error instanceof SyntaxError ? 'Its stored data cannot be read.' : (error as Error).message;

/** Why it is held: the bank contradicts itself (PAYOUT-10). */
export const hasLeftAlready = (): Error =>
  new Error(
    'The bank has booked that this refund, or an earlier one of its payment, has left although it had ' +
      'failed, and lists no return: the payer would have the money twice.',
  );

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

export const accountNeeded = ({ refundId, paymentRequestId, amountPence }: Change['refund']) => ({
  kind: 'REFUND_ACCOUNT_NEEDED' as const,
  subject: refundId,
  description: 'The bank did not say which account paid. Ask the customer, then enter the account.',
  evidence: { refundId, paymentRequestId, amountPence: Number(amountPence) },
});
