import { createHmac } from 'node:crypto';
import { equalsSecretly } from '#platform/secrets/equals-secretly.ts';

/**
 * Proof that a start comes from our own page: a link preview or another site cannot start a payment
 * at a payer's bank. It is valid for its own request only.
 */
export const formTokens = (key: Buffer) => {
  const make = (paymentRequestId: string): string =>
    createHmac('sha256', key).update(`form|${paymentRequestId}`).digest('base64url');
  return {
    make,
    isMade: (paymentRequestId: string, token: string): boolean =>
      equalsSecretly(make(paymentRequestId), token),
  };
};

export type FormTokens = ReturnType<typeof formTokens>;
