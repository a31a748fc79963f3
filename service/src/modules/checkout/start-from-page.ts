import type { FastifyReply, FastifyRequest } from 'fastify';
import { extendTime, outstandingPence } from '#modules/payments/index.ts';
import { findLinkedPayment } from './finish-authorisation.ts';
import type { PageTools } from './payment-page.ts';
import { type Fields, localeOf, pageIdOf, pagePath, parameter, text } from './request-fields.ts';
import { sendNotice } from './send-page.ts';
import { startBankPayment } from './start-bank-payment.ts';

/** The payer has read what will happen and goes on to the bank. */
export const startFromPage = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const fields = (request.body ?? {}) as Fields;
  const id = pageIdOf(fields);
  const found = id && (await findLinkedPayment(tools, id));
  if (!id || !found) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  const page = pagePath(id, fields.locale);
  const banks = tools.bankRails.find(found.tenant.environment)?.institutions() ?? [];
  const bank = banks.find(
    (each) =>
      each.id === text(fields.institutionId) &&
      each.isEnabled &&
      outstandingPence(found.payment) <= each.limitPence,
  );
  if (!bank || !tools.formTokens.isMade(id, text(fields.formToken)))
    return reply.redirect(page, 303);
  const started = await startBankPayment(tools, found.tenant, id, {
    institutionId: bank.id,
    payerAddress: request.ip,
    payerUserAgent: request.headers['user-agent'] ?? '',
  });
  return reply.redirect(started.kind === 'AT_BANK' ? started.authorisationUrl : page, 303);
};

/** One more `expiresIn` for a payer who asks, as far as the merchant allows (decision 19). */
export const giveMoreTime = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const fields = (request.body ?? {}) as Fields;
  const id = pageIdOf(fields);
  const found = id && (await findLinkedPayment(tools, id));
  if (!id || !found) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  if (tools.formTokens.isMade(id, text(fields.formToken)))
    await extendTime(tools, found.tenant, id);
  const chosen = parameter('institutionId', text(fields.institutionId));
  return reply.redirect(`${pagePath(id, fields.locale)}${chosen}`, 303);
};
