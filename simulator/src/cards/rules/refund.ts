import { magicCardByKey } from '../magic-card.ts';
import type { IntentRecord, Metadata, Refund } from '../model.ts';
import { invalid } from './api-error.ts';
import { approvedAttempt } from './approved-attempt.ts';
import type { Step } from './authorise.ts';
import { refundId } from './ids.ts';
import { refundedAmount } from './refunded-amount.ts';

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
