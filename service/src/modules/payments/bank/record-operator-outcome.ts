import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { changePayment } from '../core/change-payment.ts';
import { type Change, noteAttempt, noteHistory } from '../core/draft-change.ts';
import { type Attempt, isHeldByBank, type Payment } from '../core/payment.ts';
import { recordBankStatus } from './record-bank-status.ts';

export type OperatorOutcome = {
  readonly outcome: 'COMPLETED' | 'FAILED';
  /** How the operator knows: a statement, a reply of the bank. */
  readonly evidence: string;
  readonly actor: string;
};

type RecordTools = Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>;

/**
 * What a person found out about a payment that its bank leaves open, or has blocked (MONEY-21). It moves
 * the attempt along its table as the bank's own status would, with the evidence in the history.
 */
export const recordOperatorOutcome = (
  tools: RecordTools,
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
  found: OperatorOutcome,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    const attempt = payment.attempts.find((other) => other.attemptId === attemptId);
    if (!attempt) throw new Failure(failures.notFound);
    if (found.evidence.trim() === '') throw withoutEvidence();
    if (attempt.method !== 'PAY_BY_BANK' || !canRecord(attempt, found)) throw notOpen();
    const detail = `${found.actor}: ${found.evidence}`;
    noteHistory(change, attempt, 'outcomeRecordedByOperator', detail);
    if (isHeldByBank(attempt)) noteAttempt(change, attemptId, { endedReason: 'BLOCKED_RETURNED' });
    else applyOutcome(tools, payment, change, attempt, found);
    return true;
  });

/** Of blocked money only its return can be recorded: the attempt has failed already. */
const canRecord = (attempt: Attempt, { outcome }: OperatorOutcome): boolean =>
  isHeldByBank(attempt)
    ? outcome === 'FAILED'
    : attempt.status === 'PENDING' && attempt.submittedAt !== null;

const applyOutcome = (
  tools: RecordTools,
  payment: Payment,
  change: Change,
  attempt: Attempt,
  { outcome }: OperatorOutcome,
): void => {
  const status =
    outcome === 'COMPLETED'
      ? { isoCode: 'ACSC', isoName: 'AcceptedSettlementCompletedDebitorAccount' }
      : { isoCode: 'RJCT', isoName: 'Rejected', errorDescription: rejected };
  recordBankStatus(tools, payment, change, attempt, { ...status, changedAt: payment.now });
};

const rejected = 'The bank did not carry out the payment.';

const notOpen = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'Only an open or blocked payment at a bank can have its outcome recorded.',
  });

const withoutEvidence = (): Failure =>
  new Failure(failures.badRequest, {
    message: 'evidence is needed.',
    errors: [{ field: 'evidence', message: 'evidence is needed' }],
  });
