import type { Uses } from '#platform/tools.ts';
import type { AttemptTrigger } from './attempt-lifecycle.ts';
import { changePayment } from './change-payment.ts';
import { moveAttempt } from './draft-change.ts';
import { endIfExpired } from './expire-payment-request.ts';
import type { Payment } from './payment.ts';
import { tellOutcome } from './payment-events.ts';

type EndTools = Uses<'database' | 'ids' | 'wakeDispatcher'>;

/** Ends an attempt before anything was handed to the bank: no money has moved. */
export const endAttempt = (
  tools: EndTools,
  payment: Payment,
  attemptId: string,
  trigger: Exclude<AttemptTrigger, 'submitted' | 'accepted' | 'rejected' | 'rejectedLater'>,
  reason: { readonly code: string; readonly description: string },
): Promise<Payment> =>
  changePayment(tools, payment.tenant, payment.paymentRequestId, (current, change) => {
    const attempt = current.attempts.find((other) => other.attemptId === attemptId);
    if (attempt?.status !== 'AWAITING_AUTHORIZATION') return false;
    moveAttempt(change, attemptId, trigger, {
      step: 'ENDED',
      endedReason: reason.code,
      errorCode: reason.code,
      errorDescription: reason.description,
    });
    // A payer who turned back is no news to the merchant; a bank that failed is.
    if (trigger === 'refusedByBank' || trigger === 'exchangeLost')
      tellOutcome(tools, change, attemptId);
    endIfExpired(tools, change);
    return true;
  });
