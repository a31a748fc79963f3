import type { FastifyReply, FastifyRequest } from 'fastify';
import { idsOfShortCode } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { type Fields, pagePath, text } from '../input/fields.ts';
import { localeOf } from './payment-page.ts';
import { sendNotice } from './send-page.ts';
import { findShortLink } from './store.ts';

/** `/p/<code>`: for paper and speech; it leads to the page. */
export const followShortCode = async (
  { database }: Uses<'database'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const ids = idsOfShortCode(text((request.params as Fields).code));
  const id = ids && (await findShortLink(database, ids));
  if (!id) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  return reply.header('cache-control', 'no-store').redirect(pagePath(id, ''), 303);
};
