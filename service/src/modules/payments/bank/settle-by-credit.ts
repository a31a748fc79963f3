import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { changePayment, noteAttempt, noteHistory } from '../core/change-payment.ts';
import { settledPostings } from '../core/completed-postings.ts';
import { emitOutcome } from '../core/emit-outcome.ts';
import { findAttempt } from '../core/payment.ts';
import { reverseAttempt, takenBack } from './record-bank-status.ts';

/** WAITS: its bank has not accepted it yet. NOT_PAID: it failed, or was never for this account. */
export type CreditEffect = 'SETTLED' | 'WAITS' | 'NOT_PAID';

type CreditedAttempt = { readonly paymentRequestId: string; readonly attemptId: string };

/**
 * Its money was seen on the collecting account: from now on it can be paid out (MONEY-6). Settled
 * before, by the bank's status or by the same credit, it stays as it is.
 */
export const settleByCredit = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  tenant: Tenant,
  { paymentRequestId, attemptId }: CreditedAttempt,
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

/** ENDED: it is reversed now, or was none that counts before. */
export type DebitEffect = 'ENDED' | 'WAITS';

/**
 * Its bank has taken the money from the collecting account again. That is its word, whatever status
 * it reported: the merchant cannot be paid what is not there.
 */
export const reverseByDebit = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  tenant: Tenant,
  { paymentRequestId, attemptId }: CreditedAttempt,
): Promise<DebitEffect> => {
  let effect: DebitEffect = 'ENDED';
  await changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    const attempt = findAttempt(payment, attemptId);
    effect = attempt?.status === 'PENDING' ? 'WAITS' : 'ENDED';
    if (attempt?.settlesTo !== 'COLLECTING_ACCOUNT' || attempt.status !== 'COMPLETED') return false;
    reverseAttempt(tools, change, attempt, {
      ...{ step: 'ENDED', isSettled: false, endedReason: 'REVERSED', pollBusinessAt: null },
      ...{ isoStatusCode: 'RJCT', isoStatusName: 'Rejected', isoStatusAt: payment.now },
      ...{ errorCode: 'RJCT', errorDescription: takenBack },
    });
    emitOutcome(tools, change, attemptId);
    return true;
  });
  return effect;
};
