import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Payment } from '#modules/payments/index.ts';
import { finishAuthorisation } from '../bank/finish-authorisation.ts';
import { type Fields, pageIdOf, readBankReturn, text } from '../input/fields.ts';
import { startedPath } from '../input/payer-browser.ts';
import {
  type FoundPayment,
  findPaymentOfPage,
  localeOf,
  type PageTools,
  pageAfter,
} from './payment-page.ts';
import { sendNotice } from './send-page.ts';

type PostedForm = {
  readonly paymentRequestId: string;
  readonly found: FoundPayment;
  readonly fields: Fields;
  /** Our page made this form for this payment: forms of other sites are rejected. */
  readonly isOurs: boolean;
};

/** The fields of a page's button; for an unknown payment there is only a notice. */
export const answerPostedForm = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (form: PostedForm) => Promise<FastifyReply>,
): Promise<FastifyReply> => {
  const fields = (request.body ?? {}) as Fields;
  const paymentRequestId = pageIdOf(fields);
  const found = paymentRequestId && (await findPaymentOfPage(tools, paymentRequestId));
  if (!paymentRequestId || !found)
    return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  const isOurs = tools.formTokens.isMade(paymentRequestId, text(fields.formToken));
  return answer({ paymentRequestId, found, fields, isOurs });
};

/** The bank sends the payer back, in the query or by a form that our own page posts. */
export const returnFromBank = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  method: 'GET' | 'POST',
): Promise<FastifyReply> => {
  const { parameters, state, isInFragment } = readBankReturn(request, method);
  const locale = localeOf(request);
  if (isInFragment)
    return sendNotice(reply, 200, locale, {
      page: 'FRAGMENT_RETURN',
      payUrl: startedPath(request, locale),
    });
  const finished =
    state === null
      ? ({ kind: 'BAD_RETURN' } as const)
      : await finishAuthorisation(tools, parameters, state);
  if (finished.kind === 'FINISHED')
    return reply.redirect(pageOfState(finished.payment, state ?? ''), 303);
  if (finished.kind === 'BAD_RETURN')
    return sendNotice(reply, 400, locale, {
      page: 'BAD_RETURN',
      payUrl: startedPath(request, locale, false),
    });
  return sendNotice(reply, 503, locale, { page: 'UNAVAILABLE', requestId: request.id });
};

const pageOfState = (payment: Payment, state: string): string =>
  pageAfter(
    payment,
    payment.attempts.find(({ oauthState }) => oauthState === state),
  );
