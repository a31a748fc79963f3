import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { changePayment } from './change-payment.ts';
import { moveAttempt, moveRequest } from './draft-change.ts';
import type { Payment } from './payment.ts';

// Existing clients match on this text.
const alreadyPaid =
  "Your payment has already been processed and can't be cancelled. Please contact us if you need any help.";

/** Ends a request that nobody pays any more; whoever is at the bank can no longer be submitted. */
export const cancelPaymentRequest = (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    if (payment.status === 'CANCELLED') return false;
    refuseUncancellable(payment);
    for (const attempt of payment.attempts)
      if (attempt.status === 'AWAITING_AUTHORIZATION')
        moveAttempt(change, attempt.attemptId, 'requestCancelled', {
          step: 'ENDED',
          endedReason: 'REQUEST_CANCELLED',
        });
    moveRequest(change, 'cancelledByMerchant');
    return true;
  });

const refuseUncancellable = (payment: Payment): void => {
  if (payment.attempts.some(({ status }) => status === 'COMPLETED'))
    throw new Failure(failures.badRequest, { message: alreadyPaid });
  if (payment.status !== 'OPEN')
    throw new Failure(failures.invalidState, { message: 'The payment request has expired.' });
  if (payment.attempts.some(({ status }) => status === 'PENDING'))
    throw new Failure(failures.invalidState, {
      message: 'A bank is working on this payment. Wait for its outcome.',
    });
};
