import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import { changePayment } from '../core/change-payment.ts';
import { recordPoll } from '../core/draft-change.ts';
import { type Attempt, findAttempt, isHeldByBank, type Payment } from '../core/payment.ts';
import type { DueAttempt } from '../core/store/claim-due.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import { operatorAlertAfterMs } from './next-poll-at.ts';

type AlertTools = Uses<'database' | 'log' | 'wakeDispatcher'>;

/** Neither paid nor refunded: the operator has to contact the bank. */
export const alertOfHeldMoney = async (tools: AlertTools, item: DueAttempt): Promise<void> => {
  const tenant = { merchantId: item.merchant_id, environment: item.environment };
  const payment = await loadPayment(tools.database, tenant, item.payment_request_id);
  const attempt = findAttempt(payment, item.attempt_id);
  if (!payment || !attempt || !isHeldByBank(attempt) || attempt.operatorAlertedAt) return;
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
export const alertOfOldPayment = async (
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
