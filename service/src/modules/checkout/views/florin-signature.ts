import { createHmac } from 'node:crypto';
import { noPence, poundsText } from '#kernel/pence.ts';
import { type Attempt, type Payment, totalPence } from '#modules/payments/index.ts';

type Signed = {
  readonly status: string;
  /** Of the payment that is named, with its tip; 0.00 before one was started. */
  readonly florinAmount: string;
  readonly florinTime: string;
  readonly florinSignature: string;
};

/**
 * What the way back says and an HMAC-SHA256 over all of it (REQUEST-12). The order id comes last: it alone
 * may hold the separator.
 */
export const florinSignature = (
  accessSecret: string,
  { paymentRequestId, orderId, now }: Payment,
  attempt: Attempt | null,
  status: string,
): Signed => {
  const florinAmount = poundsText(attempt ? totalPence(attempt) : noPence);
  const florinTime = now.toISOString();
  const ids = [paymentRequestId, attempt?.paymentIdempotencyId ?? ''];
  const text = ['florin-return', status, florinAmount, ...ids, florinTime, orderId].join('|');
  const hmac = createHmac('sha256', accessSecret).update(text).digest('hex');
  return { status, florinAmount, florinTime, florinSignature: hmac };
};
