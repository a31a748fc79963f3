import type { Uses } from '#platform/tools.ts';
import type { Authentication, CardOutcome, CardPayment } from '#rails/card-rail.ts';
import { isSubmitted } from '../../core/attempt-lifecycle.ts';
import type { Change } from '../../core/draft-change.ts';
import { openRailState } from '../../core/open-rail-state.ts';
import { type Attempt, totalPence } from '../../core/payment.ts';
import { applyCardOutcome } from './apply-card-outcome.ts';
import { endLateRefund } from './refund-late-payment.ts';

/**
 * What the operator found out about a payment by card at the processor; false: its attempt is not open
 * for that. An authorisation that was not captured is released. A page may still be paid while its time
 * runs. Of money that came too late it is the outcome of its refund.
 */
export const applyOperatorCardOutcome = (
  tools: Uses<'ids' | 'secrets'>,
  change: Change,
  attempt: Attempt,
  outcome: 'COMPLETED' | 'FAILED',
): boolean => {
  const state = openRailState(tools.secrets, attempt) ?? '';
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
