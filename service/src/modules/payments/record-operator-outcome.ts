import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import type { Authentication, CardOutcome, CardPayment } from '#rails/card-rail.ts';
import { applyBankStatus } from './bank/outcomes.ts';
import { endLateRefund } from './card/late-payments.ts';
import { applyCardOutcome } from './card/outcomes.ts';
import { type Change, changePayment, noteAttempt, noteHistory } from './core/change-payment.ts';
import { decryptRailState } from './core/encrypted-columns.ts';
import {
  type Attempt,
  findAttempt,
  isHeldByBank,
  type Payment,
  totalPence,
} from './core/payment.ts';
import { isSubmitted } from './core/payment-lifecycles.ts';

/** What the operator found out about a payment by bank; false: its attempt is not open for that. */
const applyOperatorOutcome = (
  tools: Uses<'ids' | 'secrets'>,
  payment: Payment,
  change: Change,
  attempt: Attempt,
  outcome: 'COMPLETED' | 'FAILED',
): boolean => {
  if (!canRecord(attempt, outcome)) return false;
  if (isHeldByBank(attempt))
    noteAttempt(change, attempt.attemptId, { endedReason: 'BLOCKED_RETURNED' });
  else
    applyBankStatus(tools, payment, change, attempt, {
      ...statuses[outcome],
      changedAt: payment.now,
    });
  return true;
};

/** Of blocked money only its return can be recorded: the attempt has failed already. */
const canRecord = (attempt: Attempt, outcome: 'COMPLETED' | 'FAILED'): boolean =>
  isHeldByBank(attempt)
    ? outcome === 'FAILED'
    : attempt.status === 'PENDING' && attempt.submittedAt !== null;

const statuses = {
  COMPLETED: { isoCode: 'ACSC', isoName: 'AcceptedSettlementCompletedDebitorAccount' },
  FAILED: {
    isoCode: 'RJCT',
    isoName: 'Rejected',
    errorDescription: 'The bank did not carry out the payment.',
  },
} as const;

/**
 * What the operator found out about a payment by card at the processor; false: its attempt is not open
 * for that. An authorisation that was not captured is released. A page may still be paid while its time
 * runs. Of money that came too late it is the outcome of its refund.
 */
const applyOperatorCardOutcome = (
  tools: Uses<'ids' | 'secrets'>,
  change: Change,
  attempt: Attempt,
  outcome: 'COMPLETED' | 'FAILED',
): boolean => {
  const state = decryptRailState(tools.secrets, attempt) ?? '';
  if (attempt.step === 'PAID_TOO_LATE' || attempt.step === 'REFUNDING_LATE')
    return endLateRefund(tools, change, attempt, returned(attempt, outcome, state));
  if (!isSubmitted(attempt.status) && !isClosedPage(change, attempt)) return false;
  const report = outcome === 'COMPLETED' ? paid(attempt, state) : notPaid(attempt, state);
  return applyCardOutcome(tools, change, attempt, report);
};

/** Its time is over, and the processor did not say what became of it. */
const isClosedPage = ({ payment }: Change, { step, authoriseByBusiness }: Attempt): boolean =>
  step === 'AT_PROCESSOR' && authoriseByBusiness <= payment.now;

const returned = (attempt: Attempt, outcome: 'COMPLETED' | 'FAILED', state: string) =>
  outcome === 'COMPLETED'
    ? ({ kind: 'COMPLETED', state, reference: attempt.attemptId } as const)
    : ({ kind: 'FAILED', state, reference: null, ...notReturned } as const);

const notReturned = {
  code: 'NOT_REFUNDED',
  description: 'The card processor did not refund the payment.',
} as const;

const paid = (attempt: Attempt, state: string): CardOutcome => ({
  kind: 'COMPLETED',
  state,
  payment: paymentOf(attempt),
});

const notPaid = (attempt: Attempt, state: string): CardOutcome =>
  attempt.status === 'AUTHORIZED'
    ? { kind: 'CANCELLED', state, reason: 'CANCELLED', lastDecline: null }
    : { kind: 'FAILED', state, payment: null, decline };

const decline = {
  code: 'NOT_TAKEN',
  description: 'The card processor did not take the payment.',
  retry: 'TRY_AGAIN_LATER',
  networkCode: null,
} as const;

const unauthenticated: Authentication = {
  hasHappened: false,
  result: null,
  flow: null,
  version: null,
  eci: null,
  dsTransId: null,
  at: null,
};

/** The whole amount; what is known of the card stays. */
const paymentOf = (attempt: Attempt): CardPayment => ({
  reference: attempt.railReference ?? attempt.attemptId,
  amountPence: totalPence(attempt),
  networkTransactionId: attempt.tracingId,
  card: null,
  authentication: attempt.card?.authentication ?? unauthenticated,
  savedCardReference: null,
  at: null,
});

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
