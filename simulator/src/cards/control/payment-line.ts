import { lastFourOfMagicCard, magicCardByKey } from '../magic-card.ts';
import type { IntentRecord } from '../model.ts';
import { approvedAttempt } from '../rules/approved-attempt.ts';
import { intentAt } from '../rules/due-at.ts';
import { refundedAmount } from '../rules/refunded-amount.ts';

// One payment as the processor has it: the amounts held, captured and refunded.
export const paymentLine = (stored: IntentRecord, realNow: number) => {
  const { intent } = intentAt(stored, realNow + stored.clockOffsetMs);
  const attempt = approvedAttempt(intent);
  const row = attempt && magicCardByKey(attempt.card);
  return {
    paymentIntentId: intent.id,
    sessionId: intent.sessionId,
    status: intent.status,
    currency: intent.currency,
    amount: intent.amount,
    held: intent.status === 'requires_capture' ? (attempt?.amount ?? 0) : 0,
    captured: attempt?.amountCaptured ?? 0,
    refunded: refundedAmount(intent),
    cancellationReason: intent.cancellationReason,
    captureBefore: attempt?.captureBefore ?? null,
    clockOffsetMs: intent.clockOffsetMs,
    attempts: intent.attempts.length,
    isMerchantInitiated: attempt?.isMerchantInitiated ?? null,
    metadata: intent.metadata,
    card: row && { key: row.key, lastFour: lastFourOfMagicCard(row), brand: row.brand },
    authentication: intent.lastAuthentication,
    lastError: intent.lastError,
  };
};
