import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Attempt, findAttempt, waitsForPayer } from '#modules/payments/index.ts';
import { leaveCardPage } from '../bank/leave-card-page.ts';
import { finishCardPayment } from '../card/finish-card-payment.ts';
import { choiceIn } from '../input/amount-query.ts';
import { type Fields, pagePath, text } from '../input/fields.ts';
import { payerIdFor, payerSecretOf } from '../input/payer-id-for.ts';
import { answerPostedForm } from './answer-posted-form.ts';
import { appEnd } from './card-checkout-routes.ts';
import { pageAfter } from './page-after.ts';
import type { PageTools } from './payment-page.ts';
import { localeOf } from './remember-choices.ts';
import { sendNotice } from './send-page.ts';

/** The payer's ways to and from the processor's page. */
export const cardPageRoutes = (app: FastifyInstance, tools: PageTools): void => {
  app.get('/card-return', { exposeHeadRoute: false }, (request, reply) =>
    returnFromCard(tools, request, reply),
  );
  app.post('/pay/other-way', (request, reply) => chooseOtherWay(tools, request, reply));
};

const returnFromCard = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { attempt: named, left } = (request.query ?? {}) as Fields;
  const attemptId = text(named);
  const payment = await finishCardPayment(tools, attemptId);
  if (!payment) return sendNotice(reply, 400, localeOf(request), { page: 'BAD_RETURN' });
  const attempt = findAttempt(payment, attemptId);
  const end = attempt && appEnd(payment, attempt);
  if (end) return reply.redirect(end, 303);
  if (!attempt || text(left) === '' || !isAtCardPage(attempt))
    return reply.redirect(pageAfter(payment, attempt), 303);
  // The payer pressed "back" there: the page is closed, and the choice is shown.
  const after = await leaveCardPage(tools, payment, attempt.applicationUserId);
  return reply.redirect(pageAfter(after, findAttempt(after, attemptId), '', { again: '1' }), 303);
};

const isAtCardPage = (attempt: Attempt): boolean =>
  waitsForPayer(attempt) && attempt.step !== 'STEP_UP';

/** Ends the card page first: if it was paid meanwhile, that counts and nothing is chosen. */
const chooseOtherWay = (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> =>
  answerPostedForm(tools, request, reply, async ({ paymentRequestId, found, fields, isOurs }) => {
    if (!isOurs) return reply.redirect(pagePath(paymentRequestId, fields.locale), 303);
    const secret = payerSecretOf(request);
    const payerId = secret === null ? null : payerIdFor(secret, paymentRequestId);
    await leaveCardPage(tools, found.payment, payerId);
    const more = { ...choiceIn(fields), again: '1' };
    return reply.redirect(pagePath(paymentRequestId, fields.locale, more), 303);
  });
