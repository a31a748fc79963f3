import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import { applyOperatorOutcome } from './bank/apply-operator-outcome.ts';
import { applyOperatorCardOutcome } from './card/outcomes/apply-operator-card-outcome.ts';
import { changePayment } from './core/change-payment.ts';
import { noteHistory } from './core/draft-change.ts';
import { findAttempt, type Payment } from './core/payment.ts';

export type OperatorOutcome = {
  readonly outcome: 'COMPLETED' | 'FAILED';
  /** How the operator knows: a statement, a reply of the bank. */
  readonly evidence: string;
  readonly actor: string;
};

/**
 * What a person found out about a payment that its bank or processor leaves open, or that the bank has
 * blocked (MONEY-21). It moves the attempt along its table as their own report would, with the evidence
 * in the history.
 */
export const recordOperatorOutcome = (
  tools: Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
  { outcome, evidence, actor }: OperatorOutcome,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    const attempt = findAttempt(payment, attemptId);
    if (!attempt) throw new Failure(failures.notFound);
    if (evidence.trim() === '')
      throw badField('evidence', 'evidence is needed', 'evidence is needed.');
    noteHistory(change, attempt, 'outcomeRecordedByOperator', `${actor}: ${evidence}`);
    const isRecorded =
      attempt.method === 'PAY_BY_BANK'
        ? applyOperatorOutcome(tools, payment, change, attempt, outcome)
        : applyOperatorCardOutcome(tools, change, attempt, outcome);
    if (!isRecorded) throw notOpen();
    return true;
  });

const notOpen = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'Only an open or blocked payment can have its outcome recorded.',
  });
