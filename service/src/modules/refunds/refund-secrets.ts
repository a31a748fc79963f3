import type { Secrets } from '#platform/secrets/open-secrets.ts';

const secretContext = (refundId: string, column: string) => ({
  table: 'refund',
  row: refundId,
  column,
});

export const refundAccountContext = (refundId: string) =>
  secretContext(refundId, 'account_encrypted');

/** The card rail's memory of a refund. */
export const sealRefundState = (secrets: Secrets, refundId: string, state: string): Buffer =>
  secrets.encrypt(state, secretContext(refundId, 'rail_state_encrypted'));

export const openRefundState = (
  secrets: Secrets,
  refund: { readonly refundId: string; readonly railStateEncrypted: Buffer | null },
): string | null =>
  refund.railStateEncrypted &&
  secrets.decryptText(
    refund.railStateEncrypted,
    secretContext(refund.refundId, 'rail_state_encrypted'),
  );
