import { magicCardByKey } from '../magic-card.ts';
import type { Attempt, IntentRecord } from '../model.ts';
import { invalid } from './api-error.ts';
import { approvedAttempt } from './approved-attempt.ts';
import type { Step } from './authorise.ts';
import { disputeOf } from './dispute.ts';

// The amount that is not captured is released.
export const capture = (intent: IntentRecord, wanted: number | undefined, now: number): Step => {
  const attempt = approvedAttempt(intent);
  if (!attempt) throw new Error(`${intent.id} has nothing to capture`);
  const amount = wanted ?? attempt.amount;
  if (amount > attempt.amount) {
    const message = 'The amount to capture is greater than what was authorised.';
    throw invalid(message, 'amount_to_capture', 'amount_too_large');
  }
  const dispute = disputeOf(magicCardByKey(attempt.card), attempt.id, now);
  const captured: Attempt = { ...attempt, isCaptured: true, amountCaptured: amount, dispute };
  return {
    intent: {
      ...intent,
      status: 'succeeded',
      attempts: [...intent.attempts.slice(0, -1), captured],
    },
    eventDrafts: [
      { type: 'charge.captured', id: attempt.id },
      { type: 'payment_intent.succeeded', id: intent.id },
      ...(dispute ? [{ type: 'charge.dispute.created', id: dispute.id }] : []),
    ],
  };
};
