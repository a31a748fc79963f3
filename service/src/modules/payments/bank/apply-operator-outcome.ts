import type { Uses } from '#platform/tools.ts';
import { type Change, noteAttempt } from '../core/draft-change.ts';
import { type Attempt, isHeldByBank, type Payment } from '../core/payment.ts';
import { recordBankStatus } from './record-bank-status.ts';

/** What the operator found out about a payment by bank; false: its attempt is not open for that. */
export const applyOperatorOutcome = (
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
    recordBankStatus(tools, payment, change, attempt, {
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
