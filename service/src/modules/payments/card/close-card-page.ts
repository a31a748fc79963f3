import type { CardOutcome, CardRail } from '#rails/card-rail.ts';
import { openRailState } from '../core/open-rail-state.ts';
import type { Attempt, Payment } from '../core/payment.ts';
import { waitsForPayer } from '../core/payment.ts';
import type { CardReport } from './outcomes/complete-card.ts';
import { type RecordTools, recordCardOutcome } from './outcomes/record-card-outcome.ts';

/**
 * Ends what a payer left open at the processor, so that another method can be offered (CARD-2). If
 * it was paid meanwhile, that counts. If the processor does not answer, the attempt stays as it
 * was.
 */
export const closeCardPage = async (
  tools: RecordTools,
  rail: CardRail,
  payment: Payment,
  attempt: Attempt,
  closedBecause: NonNullable<CardReport['closedBecause']>,
): Promise<Payment> => {
  const state = openRailState(tools.secrets, attempt);
  if (!waitsForPayer(attempt) || state === null) return payment;
  const outcome = await close(rail, attempt, state);
  return recordCardOutcome(tools, payment, attempt.attemptId, outcome, {
    closedBecause,
  });
};

const close = async (rail: CardRail, { step }: Attempt, state: string): Promise<CardOutcome> => {
  if (step !== 'STEP_UP') return rail.expireSession(state);
  const outcome = await rail.cancel(state, 'SUPERSEDED');
  // It can no longer be cancelled: its actual outcome counts.
  return outcome.kind === 'REFUSED' ? rail.readPayment(state) : outcome;
};
