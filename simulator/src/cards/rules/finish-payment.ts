import { magicCardByKey } from '../magic-card.ts';
import type { Attempt, IntentRecord, Metadata, Refund } from '../model.ts';
import { invalid } from './api-error.ts';
import { disputeOf, type Step } from './authorise.ts';
import { refundId } from './ids.ts';

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

export const cancel = (intent: IntentRecord, reason: string | null, now: number): Step => {
  const attempt = intent.status === 'requires_capture' ? approvedAttempt(intent) : undefined;
  const released = reason === 'automatic' ? 'charge.expired' : 'charge.refunded';
  return {
    intent: {
      ...intent,
      status: 'canceled',
      challenge: null,
      canceledAt: now,
      cancellationReason: reason,
    },
    eventDrafts: [
      ...(attempt ? [{ type: released, id: attempt.id }] : []),
      { type: 'payment_intent.canceled', id: intent.id },
    ],
  };
};

const refundPendingMs = 60 * 60 * 1000;

type RefundRequest = {
  readonly amount: number | undefined;
  readonly reason: string | null;
  readonly metadata: Metadata;
};

export const refund = (
  intent: IntentRecord,
  request: RefundRequest,
  now: number,
): Step & { readonly refund: Refund } => {
  const attempt = approvedAttempt(intent);
  if (!attempt?.isCaptured) {
    throw invalid(
      'This PaymentIntent does not have a successful charge to refund.',
      'payment_intent',
    );
  }
  const left = attempt.amountCaptured - refundedAmount(intent);
  const amount = request.amount ?? left;
  if (left === 0) {
    throw invalid(
      `Charge ${attempt.id} has already been refunded.`,
      undefined,
      'charge_already_refunded',
    );
  }
  if (amount > left) {
    throw invalid(
      `Refund amount (${amount}) is greater than unrefunded amount (${left}).`,
      'amount',
    );
  }
  const refundBehaviour = magicCardByKey(attempt.card).refund;
  const made: Refund = {
    id: refundId(intent, intent.refunds.length),
    at: now,
    amount,
    status: refundBehaviour?.from ?? 'succeeded',
    reason: request.reason,
    failureReason: null,
    metadata: request.metadata,
    becomes: refundBehaviour
      ? { status: refundBehaviour.becomes, at: now + refundPendingMs }
      : null,
  };
  return {
    refund: made,
    intent: { ...intent, refunds: [...intent.refunds, made] },
    eventDrafts: [
      { type: 'refund.created', id: made.id },
      { type: 'charge.refunded', id: attempt.id },
    ],
  };
};

export const approvedAttempt = (intent: IntentRecord): Attempt | undefined => {
  const last = intent.attempts.at(-1);
  return last?.declineCode === null ? last : undefined;
};

export const refundedAmount = (intent: IntentRecord): number => {
  const counted = intent.refunds.filter(
    ({ status }) => status !== 'failed' && status !== 'canceled',
  );
  return counted.reduce((sum, refund) => sum + refund.amount, 0);
};
