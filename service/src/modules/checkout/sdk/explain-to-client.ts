import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { poundsNumber } from '#kernel/pence.ts';
import {
  type CannotStart,
  decidingAttempt,
  type Payment,
  requestedPence,
} from '#modules/payments/index.ts';
import { explainCannotStart } from '../bank/explain-cannot-start.ts';

/** With the members that clients show for a paid or expired link. */
export const explainToClient = (why: CannotStart, payment: Payment): Failure => {
  const explained = explainCannotStart(why);
  const isExpired = why === 'EXPIRED';
  return new Failure(isExpired ? failures.requestTimeout : explained.definition, {
    message: explained.message,
    members: {
      ...(isExpired ? { title: 'Payment Link Expired' } : {}),
      time: (isExpired ? payment.expiresBusinessAt : payment.updatedAt).toISOString(),
      referenceId: decidingAttempt(payment)?.paymentIdempotencyId ?? payment.paymentRequestId,
      amount: poundsNumber(requestedPence(payment)),
      redirectUrl: payment.redirectUrl,
    },
  });
};
