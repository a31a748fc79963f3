import { isPaid, type Payment, type TopStatus, topStatus } from '#modules/payments/index.ts';

export type Seen = { readonly seen: Payment; readonly status: TopStatus };

/**
 * A split bill for a reader whose share is not known: what others have paid is not theirs, until the bill
 * is paid, and a share that failed says nothing of a bill that is part paid (SPLIT-8).
 */
export const seenByAnyPayer = (payment: Payment): Seen => {
  const whole = { seen: payment, status: topStatus(payment) };
  if (!payment.splitsBill || payment.status === 'PAID') return whole;
  const seen = { ...payment, attempts: payment.attempts.filter((attempt) => !isPaid(attempt)) };
  const status = topStatus(seen);
  if (status !== 'FAILED' || whole.status === 'FAILED') return { seen, status };
  return { seen: { ...payment, attempts: [] }, status: whole.status };
};
