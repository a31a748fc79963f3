import { type Searchable, searchableRow } from '#modules/search/index.ts';
import type { Change } from '../draft-change.ts';
import { type Attempt, type Payment, totalPence } from '../payment.ts';

/** A transaction is an attempt: a request that no payer has started has none. */
export const searchableRows = ({ payment, before, newAttempts, changedAttempts }: Change) => {
  const earlier = new Map(before.attempts.map((attempt) => [attempt.attemptId, attempt]));
  return payment.attempts
    .filter(({ attemptId }) => newAttempts.has(attemptId) || changedAttempts.has(attemptId))
    .flatMap((attempt) => {
      const was = earlier.get(attempt.attemptId);
      return searchableRow(searchable(payment, attempt), was ? searchable(payment, was) : null);
    });
};

const searchable = (payment: Payment, attempt: Attempt): Searchable => ({
  paymentRequestId: payment.paymentRequestId,
  position: attempt.position,
  createdAt: attempt.createdAt,
  status: attempt.status,
  method: attempt.method,
  totalPence: totalPence(attempt),
  institutionId: attempt.method === 'CARD' ? null : attempt.institutionId,
  orderId: payment.orderId,
  names: [
    payment.consumerDetails?.firstName ?? '',
    payment.consumerDetails?.lastName ?? '',
    // The bank reports it later: earlier words keep their position.
    attempt.consumerName ?? '',
  ],
});
