import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { changePayment } from '../core/change-payment.ts';
import { settledPostings } from '../core/completed-postings.ts';
import { noteAttempt, noteHistory } from '../core/draft-change.ts';
import { findAttempt } from '../core/payment.ts';

/** WAITS: its bank has not accepted it yet. NOT_PAID: it failed, or was never for this account. */
export type CreditEffect = 'SETTLED' | 'WAITS' | 'NOT_PAID';

/**
 * Its money was seen on the collecting account: from now on it can be paid out (MONEY-6). Settled
 * before, by the bank's status or by the same credit, it stays as it is.
 */
export const settleByCredit = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  tenant: Tenant,
  {
    paymentRequestId,
    attemptId,
  }: { readonly paymentRequestId: string; readonly attemptId: string },
): Promise<CreditEffect> => {
  let effect: CreditEffect = 'NOT_PAID';
  await changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    const attempt = findAttempt(payment, attemptId);
    effect = 'NOT_PAID';
    if (attempt?.settlesTo !== 'COLLECTING_ACCOUNT') return false;
    if (attempt.status === 'PENDING') effect = 'WAITS';
    if (attempt.status !== 'COMPLETED') return false;
    effect = 'SETTLED';
    if (attempt.isSettled) return false;
    noteAttempt(change, attemptId, { isSettled: true });
    noteHistory(change, attempt, 'creditSeen', null);
    change.postings.push(...settledPostings(payment, attempt, tools.ids.uuid()));
    return true;
  });
  return effect;
};
