import { latestAttempt, type Payment } from './payment.ts';

export type TopStatus =
  | 'PAYMENT_NOT_INITIATED'
  | 'AWAITING_AUTHORIZATION'
  | 'PENDING'
  | 'AUTHORIZED'
  | 'COMPLETED'
  | 'FAILED'
  | 'EXPIRED'
  | 'CANCELLED';

/** What clients read of request and attempts together (STATUS-1). */
export const topStatus = (payment: Payment): TopStatus => {
  const latest = latestAttempt(payment);
  // A charge is its one attempt: the request has nothing to add.
  if (payment.kind === 'CARD_CHARGE' && latest) return latest.status;
  if (payment.status === 'PAID') return 'COMPLETED';
  if (payment.status === 'CANCELLED') return 'CANCELLED';
  if (payment.status === 'EXPIRED') return 'EXPIRED';
  const has = (status: string) => payment.attempts.some((attempt) => attempt.status === status);
  if (has('PENDING') || has('COMPLETED')) return 'PENDING';
  if (!latest || latest.status === 'CANCELLED') return 'PAYMENT_NOT_INITIATED';
  return latest.status === 'FAILED' ? 'FAILED' : 'AWAITING_AUTHORIZATION';
};
