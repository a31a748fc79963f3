import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Payment } from '#modules/payments/index.ts';
import { finishAuthorisation } from '../bank/finish-authorisation.ts';
import { readBankReturn } from '../input/read-bank-return.ts';
import { startedPath } from '../input/started-path.ts';
import { pageAfter } from './page-after.ts';
import type { PageTools } from './payment-page.ts';
import { localeOf } from './remember-choices.ts';
import { sendNotice } from './send-page.ts';

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
  if (finished.kind === 'BAD_RETURN') return sendNotice(reply, 400, locale, { page: 'BAD_RETURN' });
  return sendNotice(reply, 503, locale, { page: 'UNAVAILABLE', requestId: request.id });
};

const pageOfState = (payment: Payment, state: string): string =>
  pageAfter(
    payment,
    payment.attempts.find(({ oauthState }) => oauthState === state),
  );
