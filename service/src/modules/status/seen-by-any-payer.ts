import { isPaid, type Payment } from '#modules/payments/index.ts';

/**
 * A split bill for a reader whose share is not known: what others have paid is not theirs, until the bill
 * is paid (SPLIT-8).
 */
export const seenByAnyPayer = (payment: Payment): Payment =>
  payment.splitsBill && payment.status !== 'PAID'
    ? { ...payment, attempts: payment.attempts.filter((attempt) => !isPaid(attempt)) }
    : payment;
