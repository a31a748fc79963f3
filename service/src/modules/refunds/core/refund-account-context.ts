/** The encryption context of a refund's account. */
export const refundAccountContext = (refundId: string) => ({
  table: 'refund',
  row: refundId,
  column: 'account_encrypted',
});
