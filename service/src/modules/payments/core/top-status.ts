import { currentAttempt, latestAttempt, type Payment } from './payment.ts';
import { isCounted } from './payment-lifecycles.ts';

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
  if (payment.attempts.some(isCounted)) return 'PENDING';
  const current = currentAttempt(payment);
  if (!current || current.status === 'CANCELLED') return 'PAYMENT_NOT_INITIATED';
  return current.status === 'FAILED' ? 'FAILED' : 'AWAITING_AUTHORIZATION';
};
