/** A refund that is completed is refunded; the words of a payment would say "paid". */
export const refundWords = {
  INITIATED: 'Waiting',
  PENDING: 'On the way',
  COMPLETED: 'Refunded',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
} as const;
