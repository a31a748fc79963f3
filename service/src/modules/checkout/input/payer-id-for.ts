import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#platform/http/use-cookies.ts';

const cookieName = 'florin_payer';

/** Another id for every payment request: no merchant can follow a payer to another one. */
export const payerIdFor = (secret: string, paymentRequestId: string): string => {
  const digest = createHash('sha256').update(`payer|${secret}|${paymentRequestId}`).digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`];
  return [...parts, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
};

/** The browser's own secret, stored until it is closed; it distinguishes payers of one bill. */
export const payerSecretOf = (request: FastifyRequest): string | null =>
  readCookie(request, cookieName);

export const rememberPayer = (reply: FastifyReply, secret: string): void =>
  setCookie(reply, cookieName, secret);
