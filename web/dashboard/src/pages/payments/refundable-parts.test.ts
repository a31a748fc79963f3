import { expect, test } from 'vitest';
import { refundableParts } from './refundable-parts.ts';

const part = (paidAmount: number, totalRefundAmount: number, status = 'COMPLETED') => ({
  paymentIdempotencyId: 'p',
  consumerName: 'Ada',
  paidAmount,
  totalRefundAmount,
  statusDetails: { status },
});

test.each([
  ['nothing refunded', part(12.5, 0), 1250],
  ['a part refunded', part(0.3, 0.1), 20],
  ['all refunded', part(19.99, 19.99), undefined],
  ['failed', part(5, 0, 'FAILED'), undefined],
  ['pending', part(5, 0, 'PENDING'), undefined],
  ['a card charged later', part(5, 0, 'AUTHORIZED'), undefined],
])('of a payment with %s this is left', (_, paid, pence) => {
  const [found] = refundableParts({ transactionDetails: [paid] });
  expect(found?.leftPence).toBe(pence);
});

test('an attempt without a status has nothing to refund', () => {
  const untouched = { ...part(5, 0), statusDetails: null };
  expect(refundableParts({ transactionDetails: [untouched] })).toEqual([]);
});
