import { createHmac } from 'node:crypto';
import { noPence, poundsNumber, poundsText } from '#kernel/pence.ts';
import { type SigningSecret, signingSecret } from '#modules/merchants/index.ts';
import {
  type Attempt,
  decidingAttempt,
  type Payment,
  type TopStatus,
  topStatus,
  totalPence,
} from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { isFromClient } from '../input/payer-browser.ts';

type Signed = {
  readonly status: string;
  /** Of the payment that is named, with its tip; 0.00 before one was started. */
  readonly florinAmount: string;
  readonly florinTime: string;
  readonly florinSignature: string;
};

/**
 * What the way back says and an HMAC-SHA256 over all of it (REQUEST-12). The order id comes last: it alone
 * may hold the separator.
 */
const florinSignature = (
  accessSecret: string,
  { paymentRequestId, orderId, now }: Payment,
  attempt: Attempt | null,
  status: string,
): Signed => {
  const florinAmount = poundsText(attempt ? totalPence(attempt) : noPence);
  const florinTime = now.toISOString();
  const ids = [paymentRequestId, attempt?.paymentIdempotencyId ?? ''];
  const text = ['florin-return', status, florinAmount, ...ids, florinTime, orderId].join('|');
  const hmac = createHmac('sha256', accessSecret).update(text).digest('hex');
  return { status, florinAmount, florinTime, florinSignature: hmac };
};

export type MerchantReturn = { readonly url: string };

/** The address back to the merchant, with what existing plugins read and check (REQUEST-11). */
export const merchantReturn = async (
  tools: Uses<'database' | 'secrets'>,
  payment: Payment,
  attempt: Attempt | null,
): Promise<MerchantReturn | null> => {
  if (!payment.redirectUrl) return null;
  const url = new URL(payment.redirectUrl);
  const signer = await signingSecret(tools, payment.tenant, payment.secretId);
  const status = returnStatus(payment);
  for (const [key, value] of Object.entries(payment.callbackParams))
    if (!ownNames.has(key)) url.searchParams.set(key, String(value));
  const own = {
    orderId: payment.orderId,
    paymentRequestId: payment.paymentRequestId,
    ...(attempt ? { paymentIdempotencyId: attempt.paymentIdempotencyId } : {}),
    status,
    ...oldSignatures(signer, payment, attempt, status),
    ...(signer ? florinSignature(signer.secret, payment, attempt, status) : {}),
    ...clientMembers(payment, attempt),
  };
  for (const [key, value] of Object.entries(own)) url.searchParams.set(key, value);
  return { url: url.toString() };
};

/** A callback parameter never stands under one of these, whether it is set or not (REQUEST-11). */
const ownNames: ReadonlySet<string> = new Set([
  ...['orderId', 'paymentRequestId', 'paymentIdempotencyId', 'status'],
  ...['signature', 'signatureHash', 'atoaSignature', 'atoaSignatureHash'],
  ...['florinAmount', 'florinTime', 'florinSignature', 'idempotency', 'redirectUrl', 'amount'],
]);

const finalStatuses: readonly TopStatus[] = ['COMPLETED', 'FAILED', 'EXPIRED', 'CANCELLED'];

/** Who left without paying cancelled; what waits for a payer, bank or other payers is PENDING. */
const returnStatus = (payment: Payment): string => {
  const status = topStatus(payment);
  if (status === 'PAYMENT_NOT_INITIATED') return 'CANCELLED';
  return finalStatuses.includes(status) ? status : 'PENDING';
};

const oldSignatures = (
  signer: SigningSecret | null,
  payment: Payment,
  attempt: Attempt | null,
  status: string,
): Readonly<Record<string, string>> => {
  if (!signer) return {};
  const coversIds = status === 'COMPLETED' || payment.merchant.signsEveryReturn;
  const { signature, signatureHash } = coversIds
    ? signV1(signer, payment, attempt)
    : signWithStatus(signer, payment, attempt, status);
  return {
    ...(signature ? { signature, atoaSignature: signature } : {}),
    signatureHash,
    atoaSignatureHash: signatureHash,
  };
};

/**
 * Over ids alone it would also fit an address that says COMPLETED (REQUEST-12). Form-encoded: without a
 * `|`, the text is none that anybody checks as order and id.
 */
const signWithStatus = (
  { secret }: SigningSecret,
  { orderId, paymentRequestId }: Payment,
  attempt: Attempt | null,
  status: string,
): V1Signatures => {
  const sign = (about: Readonly<Record<string, string>>) =>
    createHmac('sha256', secret)
      .update(new URLSearchParams({ orderId, ...about, status }).toString())
      .digest('hex');
  return {
    signatureHash: sign({ paymentRequestId }),
    signature: sign({ paymentIdempotencyId: attempt?.paymentIdempotencyId ?? '' }),
  };
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
  attempt: Attempt | null = decidingAttempt(payment) ?? null,
): Promise<V1Signatures | null> => {
  const signer = await signingSecret(tools, payment.tenant, payment.secretId);
  return signer && signV1(signer, payment, attempt);
};

const signV1 = (
  { secret }: SigningSecret,
  payment: Payment,
  attempt: Attempt | null,
): V1Signatures => {
  const sign = (id: string) =>
    createHmac('sha256', secret).update(`${payment.orderId}|${id}`).digest('hex');
  return {
    signatureHash: sign(payment.paymentRequestId),
    signature: attempt ? sign(attempt.paymentIdempotencyId) : null,
  };
};
