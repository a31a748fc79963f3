import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { choiceIn } from '../amount-query.ts';
import { findLinkedPayment } from '../finish-authorisation.ts';
import { pageAfter } from '../page-after.ts';
import { payerIdFor, payerSecretOf } from '../payer-cookie.ts';
import type { PageTools } from '../payment-page.ts';
import { localeOf } from '../remember-choices.ts';
import { type Fields, pageIdOf, pagePath, text } from '../request-fields.ts';
import { sendNotice } from '../send-page.ts';
import { appEnd } from './card-checkout-routes.ts';
import { finishCardPayment } from './finish-card-payment.ts';
import { leaveCardPage } from './leave-card-page.ts';

/** The payer's ways to and from the processor's page. */
export const cardPageRoutes = (app: FastifyInstance, tools: PageTools): void => {
  app.get('/card-return', (request, reply) => returnFromCard(tools, request, reply));
  app.post('/pay/other-way', (request, reply) => chooseOtherWay(tools, request, reply));
};

const returnFromCard = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const attemptId = text(((request.query ?? {}) as Fields).attempt);
  const payment = await finishCardPayment(tools, attemptId);
  if (!payment) return sendNotice(reply, 400, localeOf(request), { page: 'BAD_RETURN' });
  const attempt = payment.attempts.find((other) => other.attemptId === attemptId);
  return reply.redirect((attempt && appEnd(attempt)) ?? pageAfter(payment, attempt), 303);
};

/** Ends the card page first: what was paid on it meanwhile counts, and then nothing is chosen. */
const chooseOtherWay = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const fields = (request.body ?? {}) as Fields;
  const id = pageIdOf(fields);
  const found = id && (await findLinkedPayment(tools, id));
  if (!id || !found) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  if (!tools.formTokens.isMade(id, text(fields.formToken)))
    return reply.redirect(pagePath(id, fields.locale), 303);
  const secret = payerSecretOf(request);
  const payerId = secret === null ? null : payerIdFor(secret, id);
  await leaveCardPage(tools, found.payment, payerId);
  return reply.redirect(pagePath(id, fields.locale, { ...choiceIn(fields), again: '1' }), 303);
};
