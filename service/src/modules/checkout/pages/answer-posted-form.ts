import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FoundPayment, findLinkedPayment } from '../bank/finish-authorisation.ts';
import { type Fields, pageIdOf, text } from '../input/fields.ts';
import type { PageTools } from './payment-page.ts';
import { localeOf } from './remember-choices.ts';
import { sendNotice } from './send-page.ts';

export type PostedForm = {
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
  const found = paymentRequestId && (await findLinkedPayment(tools, paymentRequestId));
  if (!paymentRequestId || !found)
    return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  const isOurs = tools.formTokens.isMade(paymentRequestId, text(fields.formToken));
  return answer({ paymentRequestId, found, fields, isOurs });
};
