import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#platform/http/use-cookies.ts';
import { pageIdOf, pagePath } from './fields.ts';

const cookieName = 'florin_started';

/** The list of banks of that payment; null where the browser tells of none. */
export const startedPath = (request: FastifyRequest, locale: string): string | null => {
  const id = pageIdOf({ paymentRequestId: readCookie(request, cookieName) ?? '' });
  return id === null ? null : pagePath(id, locale, { again: '1' });
};

/** Which payment this browser went to a bank for: an answer in the fragment does not say it to us. */
export const rememberStarted = (reply: FastifyReply, paymentRequestId: string): void =>
  setCookie(reply, cookieName, paymentRequestId);
