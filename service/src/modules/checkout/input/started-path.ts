import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#platform/http/use-cookies.ts';
import { pageIdOf, pagePath } from './fields.ts';

const cookieName = 'florin_started';

/** The path of the bank list of that payment; null when the browser has none. */
export const startedPath = (request: FastifyRequest, locale: string): string | null => {
  const id = pageIdOf({ paymentRequestId: readCookie(request, cookieName) ?? '' });
  return id === null ? null : pagePath(id, locale, { again: '1' });
};

/** Whether this browser went to a bank for that payment. */
export const hasStarted = (request: FastifyRequest, paymentRequestId: string): boolean =>
  readCookie(request, cookieName) === paymentRequestId;

/**
 * The payment that this browser went to a bank for: the server does not see an answer in the
 * fragment.
 */
export const rememberStarted = (reply: FastifyReply, paymentRequestId: string): void =>
  setCookie(reply, cookieName, paymentRequestId);
