import { createHmac } from 'node:crypto';
import { poundsNumber } from '#kernel/pence.ts';
import { signingSecret } from '#modules/merchants/index.ts';
import {
  type Attempt,
  latestAttempt,
  type Payment,
  topStatus,
  totalPence,
} from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { isFromClient } from '../input/read-device.ts';

export type MerchantReturn = { readonly url: string; readonly host: string };

/** The address back to the merchant, with what existing plugins read and check (REQUEST-11). */
export const merchantReturn = async (
  tools: Uses<'database' | 'secrets'>,
  payment: Payment,
  attempt: Attempt | null,
): Promise<MerchantReturn | null> => {
  if (!payment.redirectUrl) return null;
  const url = new URL(payment.redirectUrl);
  const signatures = await v1Signatures(tools, payment, attempt);
  for (const [key, value] of Object.entries(payment.callbackParams))
    url.searchParams.set(key, String(value));
  // Set last: a callback parameter cannot pretend to be one of ours.
  const own = {
    orderId: payment.orderId,
    paymentRequestId: payment.paymentRequestId,
    ...(attempt ? { paymentIdempotencyId: attempt.paymentIdempotencyId } : {}),
    status: topStatus(payment),
    ...(signatures?.signature
      ? { signature: signatures.signature, atoaSignature: signatures.signature }
      : {}),
    ...(signatures
      ? { signatureHash: signatures.signatureHash, atoaSignatureHash: signatures.signatureHash }
      : {}),
    ...clientMembers(payment, attempt),
  };
  for (const [key, value] of Object.entries(own)) url.searchParams.set(key, value);
  return { url: url.toString(), host: url.host || url.protocol.replace(':', '') };
};

/** More parameters for the clients of pages and apps (REQUEST-11). */
const clientMembers = ({ redirectUrl }: Payment, attempt: Attempt | null) =>
  attempt && redirectUrl && isFromClient(attempt.paymentDevice)
    ? {
        idempotency: attempt.paymentIdempotencyId,
        redirectUrl,
        amount: String(poundsNumber(totalPence(attempt))),
      }
    : {};

export type V1Signatures = { readonly signatureHash: string; readonly signature: string | null };

/** HMAC-SHA256 with the secret that created the request (WEBHOOK-8). */
export const v1Signatures = async (
  tools: Uses<'database' | 'secrets'>,
  payment: Payment,
  attempt: Attempt | null = latestAttempt(payment) ?? null,
): Promise<V1Signatures | null> => {
  const signer = await signingSecret(tools, payment.tenant, payment.secretId);
  if (!signer) return null;
  const sign = (id: string) =>
    createHmac('sha256', signer.secret).update(`${payment.orderId}|${id}`).digest('hex');
  return {
    signatureHash: sign(payment.paymentRequestId),
    signature: attempt ? sign(attempt.paymentIdempotencyId) : null,
  };
};
