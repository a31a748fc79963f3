import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#platform/http/cookie.ts';

const cookieName = 'florin_bank';
const keptSeconds = 180 * 24 * 60 * 60;

/** The bank that a payer asked this device to remember: no more than its id, and for no one else. */
export const rememberedBankOf = (request: FastifyRequest): string | null =>
  readCookie(request, cookieName);

/** Kept from a tick on, forgotten when a tick is taken away. */
export const keepBank = (
  reply: FastifyReply,
  institutionId: string,
  { wish, isSecure }: { readonly wish: 'KEEP' | 'FORGET' | null; readonly isSecure: boolean },
): void => {
  if (wish === 'KEEP')
    setCookie(reply, cookieName, institutionId, { isSecure, ageSeconds: keptSeconds });
  if (wish === 'FORGET') setCookie(reply, cookieName, 'none', { isSecure, ageSeconds: 0 });
};
