import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { isPaid, isSubmitted } from '../core/attempt-lifecycle.ts';
import { changePayment } from '../core/change-payment.ts';
import { moveAttempt, moveRequest } from '../core/draft-change.ts';
import { type Payment, waitsForPayer } from '../core/payment.ts';

// Existing clients match on this text.
const alreadyPaid =
  "Your payment has already been processed and can't be cancelled. Please contact us if you need any help.";

/** Ends a request without a payment in progress; an open consent can no longer be submitted. */
export const cancelPaymentRequest = (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    if (payment.status === 'CANCELLED') return false;
    refuseUncancellable(payment);
    if (payment.attempts.some(waitsForPayer)) throw payingByCard();
    for (const attempt of payment.attempts)
      if (attempt.status === 'AWAITING_AUTHORIZATION')
        moveAttempt(change, attempt.attemptId, 'requestCancelled', {
          step: 'ENDED',
          endedReason: 'REQUEST_CANCELLED',
        });
    moveRequest(change, 'cancelledByMerchant');
    return true;
  });

/**
 * Refuses what cannot be cancelled even once the card pages are closed: no page is closed for it
 * (REQUEST-9).
 */
export const refuseUncancellable = (payment: Payment): void => {
  if (payment.attempts.some(isPaid))
    throw new Failure(failures.badRequest, { message: alreadyPaid });
  if (payment.status !== 'OPEN')
    throw new Failure(failures.invalidState, { message: 'The payment request has expired.' });
  if (payment.kind === 'CARD_CHARGE')
    throw new Failure(failures.invalidState, {
      message:
        'This is a charge of a saved card: cancel it under /api/payments/card/payment-request.',
    });
  if (payment.attempts.some((attempt) => isSubmitted(attempt.status) && !waitsForPayer(attempt)))
    throw new Failure(failures.invalidState, {
      message: 'A bank is working on this payment. Wait for its outcome.',
    });
};

const payingByCard = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'The customer is paying by card at this moment. Retry shortly.',
  });
