import type { Tenant } from '#kernel/environment.ts';
import { type FindAccount, missingKeys } from '#modules/cards/index.ts';
import type { Refusal } from '#rails/bank-rail.ts';
import type { CardOutcome, CardRail } from '#rails/card-rail.ts';
import { changePayment, recordPoll } from '../core/change-payment.ts';
import { decryptRailState } from '../core/encrypted-columns.ts';
import {
  type Attempt,
  findAttempt,
  isLeased,
  isPastExpiry,
  type Payment,
} from '../core/payment.ts';
import { isLive } from '../core/payment-lifecycles.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import type { CardReport } from './complete-card.ts';
import { isReturnOver, refundLatePayment } from './late-payments.ts';
import { nextCardPoll } from './next-card-poll.ts';
import { applyCardOutcome, longOpen, type RecordTools, recordCardOutcome } from './outcomes.ts';
import { pollRefunds } from './refunds-at-processor.ts';

const unknown = {
  kind: 'UNKNOWN',
  description: 'The keys of the account at the card processor are missing.',
} as const;

/**
 * Nothing can be learnt of an open attempt without the keys of its account: its outcome stays unknown,
 * it is sent to no other account, and the operator gets a case (CARD-20).
 */
const recordMissingKeys = (
  tools: RecordTools,
  { tenant, paymentRequestId }: Pick<Payment, 'tenant' | 'paymentRequestId'>,
  attemptId: string,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (!attempt?.card || !isOpen(attempt)) return false;
    const evidence = { paymentRequestId, attemptId };
    change.cases.push(missingKeys(tenant, attempt.card.accountKey, evidence));
    if (isLive(attempt.status)) return applyCardOutcome(tools, change, attempt, unknown);
    const opened = longOpen(change, attempt);
    if (opened) change.cases.push(opened);
    recordPoll(change, attemptId, {
      ...(opened && { operatorAlertedAt: current.now }),
      pollCount: attempt.pollCount + 1,
      pollBusinessAt: nextCardPoll(attempt.step, attempt.pollCount, current.now),
    });
    return true;
  });

const isOpen = ({ status, step }: Attempt): boolean =>
  isLive(status) || step === 'PAID_TOO_LATE' || step === 'REFUNDING_LATE';

/**
 * Polls the processor for the outcome of an attempt, at the account that it was made with, and records
 * it: safe at any time, by any caller, any number of times. Null when there is no such attempt.
 */
export const pollCardProcessor = async (
  tools: RecordTools & { readonly cardRails: FindAccount },
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
  source: PollSource = 'ANYONE',
): Promise<Payment | null> => {
  const payment = await loadPayment(tools.database, tenant, paymentRequestId);
  const attempt = findAttempt(payment, attemptId);
  if (!payment || !attempt?.card) return null;
  const rail = await tools.cardRails.findAccount(tenant, attempt.card.accountKey);
  if (!rail) return recordMissingKeys(tools, payment, attemptId);
  if (attempt.step === 'PAID_TOO_LATE' || attempt.step === 'REFUNDING_LATE')
    return refundLatePayment(tools, rail, payment, attempt);
  if (readsRefunds(source, attempt)) return pollRefunds(tools, rail, payment, attempt);
  const state = decryptRailState(tools.secrets, attempt);
  const outcome = state === null ? null : await pollAs(source, rail, payment, attempt, state);
  if (!outcome) return payment;
  const closedBecause = whyClosed(payment, attempt);
  if (source === 'REPORTED_BY_PROCESSOR' && isOfCloser(outcome, closedBecause)) return payment;
  const after = await recordCardOutcome(tools, payment, attemptId, outcome, { closedBecause });
  // A refund may be reported before its payment.
  return source === 'REFUND_REPORTED' ? thenRefunds(tools, rail, after, attemptId) : after;
};

/** Who closes a page before its time knows why, and records it in a moment; if not, the job polls. */
const isOfCloser = (
  outcome: CardOutcome | Refusal,
  closedBecause: CardReport['closedBecause'],
): boolean =>
  outcome.kind === 'CANCELLED' && !outcome.lastDecline && closedBecause === 'superseded';

const thenRefunds = (
  tools: RecordTools,
  rail: CardRail,
  payment: Payment,
  attemptId: string,
): Payment | Promise<Payment> => {
  const attempt = findAttempt(payment, attemptId);
  return attempt ? pollRefunds(tools, rail, payment, attempt) : payment;
};

/** Of a payment that is over: after a report, and while there is something to read again. */
const readsRefunds = (source: PollSource, attempt: Attempt): boolean =>
  (attempt.status === 'COMPLETED' || isReturnOver(attempt)) &&
  (source === 'REFUND_REPORTED' || attempt.pollBusinessAt !== null);

const whyClosed = (payment: Payment, attempt: Attempt): CardReport['closedBecause'] => {
  if (isOverWithRequest(payment, attempt)) return 'requestExpired';
  const isInTime = attempt.step === 'AT_PROCESSOR' && payment.now < attempt.authoriseByBusiness;
  return isInTime ? 'superseded' : 'abandoned';
};

type PollSource = 'ANYONE' | 'REPORTED_BY_PROCESSOR' | 'REFUND_REPORTED';

const pollAs = async (
  source: PollSource,
  rail: CardRail,
  payment: Payment,
  attempt: Attempt,
  state: string,
): Promise<CardOutcome | Refusal | null> => {
  if (source === 'REPORTED_BY_PROCESSOR') {
    // Its sender gets the same outcome in a moment; if not, the job polls.
    if (attempt.step === 'CHARGING' && isLeased(payment, attempt)) return null;
    if (attempt.step === 'ENDED' && isWithoutMoney(attempt)) return rail.readPayment(state);
  }
  const isOver = attempt.authoriseByBusiness <= payment.now || isOverWithRequest(payment, attempt);
  return poll(rail, attempt, state, isOver);
};

/** An unfinished page does not hold off the end of its request (REQUEST-5). */
const isOverWithRequest = (payment: Payment, { step }: Attempt): boolean =>
  isPastExpiry(payment) && (payment.strictExpiry || step === 'AT_PROCESSOR');

/** A report about an attempt that ended without money may be about unknown money. */
const isWithoutMoney = ({ status, endedReason }: Attempt): boolean =>
  status === 'FAILED' || (status === 'CANCELLED' && !/REFUNDED_LATE$/.test(endedReason ?? ''));

const poll = async (
  rail: CardRail,
  { step, card }: Attempt,
  state: string,
  isOver: boolean,
): Promise<CardOutcome | Refusal | null> => {
  switch (step) {
    case 'CHARGING':
      return rail.resolveCharge(state);
    case 'STEP_UP':
      return isOver ? rail.cancel(state, 'EXPIRED') : rail.readPayment(state);
    case 'AT_PROCESSOR':
      return isOver ? rail.expireSession(state) : rail.readSession(state);
    case 'AUTHORISED':
      return rail.readPayment(state);
    case 'CAPTURING':
      return rail.resolveCapture(state);
    case 'CANCELLING':
      return rail.resolveCancel(state, card?.cancelledReasonCode ?? 'Other');
    default:
      return null;
  }
};
