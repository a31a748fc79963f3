import type { Tenant } from '#kernel/environment.ts';
import type { FindAccount } from '#modules/cards/index.ts';
import { isCounted } from '../core/attempt-lifecycle.ts';
import { findOwnPayment } from '../core/find-own-payment.ts';
import { findAttempt, type Payment, waitsForPayer } from '../core/payment.ts';
import { cancelPaymentRequest, refuseUncancellable } from '../requests/cancel-payment-request.ts';
import { closeCardPages } from './close-card-pages.ts';
import type { RecordTools } from './outcomes/record-card-outcome.ts';

/**
 * Checks first, closes the card pages, and checks again in the statement that cancels. A page that
 * was paid meanwhile ends it: the pages of other payers stay open.
 */
export const cancelWithCardPages = async (
  tools: RecordTools & { readonly cardRails: FindAccount },
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> => {
  let payment = await findOwnPayment(tools, tenant, paymentRequestId);
  if (payment.status !== 'CANCELLED') refuseUncancellable(payment);
  for (const { attemptId } of payment.attempts.filter(waitsForPayer)) {
    payment = await closeCardPages(
      tools,
      payment,
      'requestCancelled',
      (attempt) => attempt.attemptId === attemptId,
    );
    const closed = findAttempt(payment, attemptId);
    if (!closed || waitsForPayer(closed) || isCounted(closed)) break;
  }
  return cancelPaymentRequest(tools, tenant, paymentRequestId);
};
