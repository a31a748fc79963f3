import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Payment } from '#modules/payments/index.ts';
import { finishAuthorisation } from '../bank/finish-authorisation.ts';
import { type Fields, text } from '../input/fields.ts';
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
  const given = (method === 'GET' ? request.query : request.body) as Fields | undefined;
  const parameters = Object.fromEntries(
    Object.entries(given ?? {}).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    ),
  );
  const locale = localeOf(request);
  if (method === 'GET' && Object.keys(parameters).every((name) => name === 'locale'))
    return sendNotice(reply, 200, locale, {
      page: 'FRAGMENT_RETURN',
      payUrl: startedPath(request, locale),
    });
  const state = stateOf(parameters);
  const finished = madeByUs.test(state)
    ? await finishAuthorisation(tools, parameters, state)
    : ({ kind: 'BAD_RETURN' } as const);
  if (finished.kind === 'FINISHED')
    return reply.redirect(pageOfState(finished.payment, state), 303);
  if (finished.kind === 'BAD_RETURN') return sendNotice(reply, 400, locale, { page: 'BAD_RETURN' });
  return sendNotice(reply, 503, locale, { page: 'UNAVAILABLE', requestId: request.id });
};

const pageOfState = (payment: Payment, state: string): string =>
  pageAfter(
    payment,
    payment.attempts.find(({ oauthState }) => oauthState === state),
  );

/** Anything else is not looked for: the database refuses some characters, and no payment has it. */
const madeByUs = /^[0-9a-z]{16,64}$/;

/**
 * The state only names the payment; the rail then verifies the bank's signature over everything.
 */
const stateOf = (parameters: Readonly<Record<string, string>>): string => {
  if (parameters.state) return parameters.state;
  const [, payload = ''] = (parameters.response ?? '').split('.');
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Fields;
    return text(claims.state);
  } catch {
    return '';
  }
};
