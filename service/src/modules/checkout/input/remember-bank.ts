import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#platform/http/use-cookies.ts';

const cookieName = 'florin_bank';
const lifetimeSeconds = 180 * 24 * 60 * 60;

/** Stored while the box is ticked, deleted when it is unticked. */
export const rememberBank = (
  reply: FastifyReply,
  institutionId: string,
  choice: 'KEEP' | 'FORGET' | null,
): void => {
  if (choice === 'KEEP')
    setCookie(reply, cookieName, institutionId, { ageSeconds: lifetimeSeconds });
  if (choice === 'FORGET') setCookie(reply, cookieName, 'none', { ageSeconds: 0 });
};

/** The bank that a payer let this device remember: its id only, for that payer only. */
export const rememberedBankOf = (request: FastifyRequest): string | null =>
  readCookie(request, cookieName);
