import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { AttemptCard } from '../../core/attempt-card.ts';
import { changePayment } from '../../core/change-payment.ts';
import { noteAttempt, noteHistory } from '../../core/draft-change.ts';
import { type Attempt, latestAttempt, type Payment } from '../../core/payment.ts';

export type CardIntent = {
  readonly step: 'CAPTURING' | 'CANCELLING';
  /** The requester, for the history. */
  readonly wantedBy: string;
  readonly key: string | null;
  readonly reason?: Pick<AttemptCard, 'cancelledReasonCode' | 'cancelledReasonDescription'>;
  /** Only while this is still the state. */
  readonly onlyIf?: (attempt: Attempt, now: Date) => boolean;
};

export type ClaimedIntent =
  | { readonly kind: 'CLAIMED'; readonly payment: Payment; readonly attempt: Attempt }
  | { readonly kind: 'NOT_CLAIMED'; readonly payment: Payment; readonly attempt?: Attempt };

/** After this the lease is over: the call was answered, or it never will be. */
const answerWithinMs = 45_000;

/**
 * Recorded before the processor is called, so that of concurrent captures and cancellations only
 * one calls it, and its outcome is found even if that one dies. The merchant still reads
 * AUTHORIZED.
 */
export const claimCardIntent = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
  intent: CardIntent,
): Promise<ClaimedIntent> => {
  let isClaimed = false;
  const payment = await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const attempt = latestAttempt(current);
    const card = attempt?.card;
    isClaimed =
      attempt?.status === 'AUTHORIZED' &&
      attempt.step === 'AUTHORISED' &&
      (intent.onlyIf?.(attempt, current.now) ?? true);
    if (!isClaimed || !attempt || !card) return false;
    noteHistory(
      change,
      attempt,
      intent.step === 'CAPTURING' ? 'captureStarted' : 'cancelStarted',
      intent.wantedBy,
    );
    noteAttempt(change, attempt.attemptId, {
      step: intent.step,
      pollBusinessAt: new Date(current.now.getTime() + answerWithinMs),
      card: { ...card, ...intent.reason, intentKey: intent.key },
    });
    return true;
  });
  const attempt = latestAttempt(payment);
  if (isClaimed && attempt) return { kind: 'CLAIMED', payment, attempt };
  return { kind: 'NOT_CLAIMED', payment, ...(attempt && { attempt }) };
};
