import { type Pence, poundsNumber } from '#kernel/pence.ts';

export type RefundStatus = {
  readonly refundId: string;
  readonly paymentRequestId: string;
  readonly paymentIdempotencyId: string;
  readonly status: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  readonly paidPence: Pence;
  readonly refundPence: Pence;
  readonly refundNotes: string | null;
  readonly orderId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const refundStatusBody = (refund: RefundStatus): object => ({
  refundId: refund.refundId,
  paymentRequestId: refund.paymentRequestId,
  paymentIdempotencyId: refund.paymentIdempotencyId,
  status: refund.status,
  paidAmount: poundsNumber(refund.paidPence),
  refundAmount: poundsNumber(refund.refundPence),
  currency: 'GBP',
  refundNotes: refund.refundNotes,
  orderId: refund.orderId,
  createdAt: refund.createdAt.toISOString(),
  updatedAt: refund.updatedAt.toISOString(),
});
