import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { type Attempt, isPaid, type Payment } from '#modules/payments/index.ts';

/** The completed payment that is meant; of several in a split bill the caller names one. */
export const chooseAttempt = (
  payment: Payment,
  paymentIdempotencyId: string | undefined,
): Attempt => {
  const completed = payment.attempts.filter(isPaid);
  if (paymentIdempotencyId !== undefined) return named(payment, paymentIdempotencyId);
  const [only, ...more] = completed;
  if (!only) throw notCompleted();
  if (more.length > 0) throw severalCompleted(completed);
  return only;
};

const named = (payment: Payment, paymentIdempotencyId: string): Attempt => {
  const attempt = payment.attempts.find(
    (other) => other.paymentIdempotencyId === paymentIdempotencyId,
  );
  if (!attempt) throw badId('paymentIdempotencyId is not a payment of this payment request.');
  if (!isPaid(attempt)) throw notCompleted();
  return attempt;
};

const notCompleted = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'Only a completed payment can be refunded.',
  });

const severalCompleted = (completed: readonly Attempt[]): Failure => {
  const ids = completed.map((attempt) => attempt.paymentIdempotencyId).join(', ');
  return badId(
    `This bill was paid by several people: send the paymentIdempotencyId of one of them: ${ids}.`,
  );
};

const badId = (message: string): Failure =>
  new Failure(failures.badRequest, {
    message,
    errors: [{ field: 'paymentIdempotencyId', message }],
  });
