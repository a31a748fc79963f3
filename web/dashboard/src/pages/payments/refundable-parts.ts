/** What a refund needs to know of a payer's part of a payment. Amounts are pounds. */
type PaidPart = {
  readonly paymentIdempotencyId: string;
  readonly paidAmount: number;
  readonly totalRefundAmount: number;
  readonly consumerName?: string | null;
  readonly statusDetails: { readonly status: string } | null;
};

export type RefundablePart = {
  readonly paymentIdempotencyId: string;
  readonly payer: string | null;
  readonly leftPence: number;
  /** Refunded already, or about to be. */
  readonly refundedPence: number;
};

/** The completed parts of which something is left to refund; a split bill may have several. */
export const refundableParts = ({
  transactionDetails,
}: {
  readonly transactionDetails: readonly PaidPart[];
}): readonly RefundablePart[] =>
  transactionDetails
    .filter(({ statusDetails }) => statusDetails?.status === 'COMPLETED')
    .map(({ paymentIdempotencyId, paidAmount, totalRefundAmount, consumerName }) => ({
      paymentIdempotencyId,
      payer: consumerName ?? null,
      refundedPence: Math.round(totalRefundAmount * 100),
      leftPence: Math.round(paidAmount * 100) - Math.round(totalRefundAmount * 100),
    }))
    .filter(({ leftPence }) => leftPence > 0);
