import { type Tenant, tenantOf } from '#kernel/environment.ts';
import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import { traced } from '#platform/tracing.ts';
import type { BankRail, PaymentOutcome } from '#rails/bank-rail.ts';
import { type Change, changeLoaded, changePayment, recordPoll } from '../core/change-payment.ts';
import { decryptRailState, reencryptRailState } from '../core/encrypted-columns.ts';
import { type Attempt, findAttempt, isHeldByBank, type Payment } from '../core/payment.ts';
import type { DueAttempt } from '../core/store/claim-due.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import { applyBankStatus } from './outcomes.ts';
import { nextPollAt, operatorAlertAfterMs } from './plan-polls.ts';
import { recordSubmission } from './submission.ts';

type AlertTools = Uses<'database' | 'log' | 'wakeDispatcher'>;

/** Neither paid nor refunded: the operator has to contact the bank. */
export const alertOfHeldMoney = async (tools: AlertTools, item: DueAttempt): Promise<void> => {
  const tenant = tenantOf(item);
  const payment = await loadPayment(tools.database, tenant, item.payment_request_id);
  const attempt = findAttempt(payment, item.attempt_id);
  // It stays due: to end in silence would be to try at once, without end.
  if (!payment || !attempt) throw new Error('the blocked payment is missing');
  if (!isHeldByBank(attempt) || attempt.operatorAlertedAt) return;
  await sendAlert(tools, payment, attempt, {
    kind: 'PAYMENT_BLOCKED',
    description: 'A bank has blocked a payment that it had accepted: ask the bank.',
  });
};

const sendAlert = async (
  tools: AlertTools,
  { tenant, paymentRequestId }: Payment,
  { attemptId, institutionId, tracingId }: Attempt,
  opened: Pick<OperatorCase, 'kind' | 'description'>,
): Promise<void> => {
  await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const attempt = current.attempts.find((other) => other.attemptId === attemptId);
    if (!attempt || attempt.operatorAlertedAt) return false;
    const evidence = { paymentRequestId, attemptId, institutionId, tracingId };
    change.cases.push({ ...opened, subject: attemptId, evidence });
    recordPoll(change, attemptId, { operatorAlertedAt: current.now });
    return true;
  });
};

/** A payment that a bank holds for a day is shown to the operator, once. */
const alertOfOldPayment = async (
  tools: AlertTools,
  payment: Payment,
  attemptId: string,
): Promise<void> => {
  const attempt = findAttempt(payment, attemptId);
  if (!attempt?.submittedAt || attempt.status !== 'PENDING' || attempt.operatorAlertedAt) return;
  if (payment.now.getTime() - attempt.submittedAt.getTime() < operatorAlertAfterMs) return;
  await sendAlert(tools, payment, attempt, {
    kind: 'PAYMENT_PENDING_LONG',
    description: 'A payment is open at its bank for a day: ask the bank.',
  });
};

/** After this the lease is over: the call was answered, or it never will be. */
const answerWithinMs = 45_000;

export type PollTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'>;

/** Polls the bank for the outcome of an attempt and records it. */
export const pollBank = async (
  tools: PollTools,
  rail: BankRail,
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
): Promise<void> => {
  const payment = await loadPayment(tools.database, tenant, paymentRequestId);
  const attempt = findAttempt(payment, attemptId);
  const state = attempt && decryptRailState(tools.secrets, attempt);
  if (!payment || !attempt || !state || !attempt.submittedAt) return;
  if (attempt.step === 'SUBMITTING') {
    const polling = await claimPoll(tools, payment, attempt);
    if (!polling) return;
    const outcome = await asPartOf(payment, () => rail.resolveSubmission(state));
    const after = await recordSubmission(tools, polling.payment, polling.attempt, outcome);
    await alertOfOldPayment(tools, after, attemptId);
  } else {
    const outcome = await asPartOf(payment, () => rail.readPayment(state));
    await recordAnswer(tools, payment, attempt, outcome);
  }
};

/** A span of its own, in the trace of the call that made the payment. */
const asPartOf = <Answer>(
  { requestId, traceparent }: Payment,
  ask: () => Promise<Answer>,
): Promise<Answer> =>
  traced('poll bank', { 'florin.request_id': requestId ?? '' }, ask, traceparent);

/**
 * Recorded before a message is sent again, so that the outcome of an earlier poll counts as
 * outdated.
 */
const claimPoll = async (
  tools: PollTools,
  payment: Payment,
  attemptRead: Attempt,
): Promise<{ readonly payment: Payment; readonly attempt: Attempt } | null> => {
  let isNoted = false;
  const after = await changeLoaded(tools, payment, (current, change) => {
    const attempt = findAttempt(current, attemptRead.attemptId);
    isNoted = attempt?.step === 'SUBMITTING' && attempt.pollCount === attemptRead.pollCount;
    if (isNoted)
      recordPoll(change, attemptRead.attemptId, {
        pollCount: attemptRead.pollCount + 1,
        pollBusinessAt: new Date(current.now.getTime() + answerWithinMs),
      });
    return isNoted;
  });
  const attempt = findAttempt(after, attemptRead.attemptId);
  return isNoted && attempt ? { payment: after, attempt } : null;
};

const recordAnswer = async (
  tools: PollTools,
  payment: Payment,
  attemptRead: Attempt,
  outcome: PaymentOutcome,
): Promise<void> => {
  const { attemptId } = attemptRead;
  const after = await changeLoaded(tools, payment, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (!attempt?.submittedAt || attempt.step !== 'SUBMITTED') return false;
    if (outcome.kind === 'STATUS') {
      recordPoll(change, attemptId, {
        railStateEncrypted: reencryptRailState(tools.secrets, attempt, outcome.state),
      });
      applyBankStatus(tools, current, change, attempt, outcome.status);
    } else {
      recordPoll(change, attemptId, {
        pollCount: attempt.pollCount + 1,
        pollBusinessAt: nextPollAt(attempt.submittedAt, current.now, attempt.isSettled),
      });
    }
    hurryNextPoll(change, attemptRead, attempt);
    return true;
  });
  await alertOfOldPayment(tools, after, attemptId);
};

/** The bank has said meanwhile that it changed: this answer may be from before, so a poll is due. */
const hurryNextPoll = (change: Change, attemptRead: Attempt, current: Attempt): void => {
  const planned = findAttempt(change.payment, current.attemptId)?.pollBusinessAt;
  const { pollBusinessAt: hurried } = current;
  if (!planned || !hurried || !attemptRead.pollBusinessAt) return;
  const isHurried = hurried.getTime() !== attemptRead.pollBusinessAt.getTime();
  if (current.pollCount === attemptRead.pollCount && isHurried && hurried < planned)
    recordPoll(change, current.attemptId, { pollBusinessAt: hurried });
};
