import { createHmac } from 'node:crypto';
import { equalsSecretly } from '#platform/secrets/equals-secretly.ts';

/**
 * Proof that a start comes from our own page: a link preview or another site cannot make a payer's
 * bank be asked. It holds for the request it was made for.
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
