import type { Secrets } from '#platform/secrets/open-secrets.ts';

export const refundStateContext = (refundId: string) => ({
  table: 'refund',
  row: refundId,
  column: 'rail_state_encrypted',
});

/** The card rail's state of the refund. */
export const sealRefundState = (secrets: Secrets, refundId: string, state: string): Buffer =>
  secrets.encrypt(state, refundStateContext(refundId));

export const openRefundState = (
  secrets: Secrets,
  refund: { readonly refundId: string; readonly railStateEncrypted: Buffer | null },
): string | null =>
  refund.railStateEncrypted &&
  secrets.decryptText(refund.railStateEncrypted, refundStateContext(refund.refundId));
