/** Where the account that a refund goes to is encrypted. */
export const refundAccountContext = (refundId: string) => ({
  table: 'refund',
  row: refundId,
  column: 'account_encrypted',
});
