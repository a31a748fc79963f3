import { failures } from '@florin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { noPence } from '#kernel/money.ts';
import { extendTime, type Payment, withoutOwnShare } from '#modules/payments/index.ts';
import { amountOf, nothingChosen } from './amount-query.ts';
import { startCardFromPage } from './cards/start-card-from-page.ts';
import { type ChosenAmount, findAmount, hasAmountStep } from './choose-amount.ts';
import { type FoundPayment, findLinkedPayment } from './finish-authorisation.ts';
import { payerIdFor, payerSecretOf, rememberPayer } from './payer-cookie.ts';
import type { PageTools } from './payment-page.ts';
import { localeOf, scenarioOf } from './remember-choices.ts';
import { type Fields, pageIdOf, pagePath, text } from './request-fields.ts';
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
  const { payment, tenant } = found;
  const page = pagePath(id, fields.locale, choiceIn(fields));
  const payerId = payerOf(tools, request, reply, payment);
  const amount = agreedAmount(payment, fields, payerId);
  const isOurs = tools.formTokens.isMade(id, text(fields.formToken));
  if (text(fields.way) === 'card')
    return reply.redirect(
      amount && isOurs ? await startByCard(tools, found, fields, { amount, payerId, page }) : page,
      303,
    );
  const bank = amount && bankNamed(tools, payment, amount, text(fields.institutionId));
  if (!bank || !isOurs) return reply.redirect(page, 303);
  try {
    const started = await startBankPayment(tools, tenant, id, {
      institutionId: bank.id,
      share: amount.share,
      expectedPence: amount.amountPence,
      tipPence: amount.tipPence,
      payerAddress: request.ip,
      payerUserAgent: request.headers['user-agent'] ?? '',
      applicationUserId: payerId,
      ...loginHint(tools, tenant, request),
    });
    return reply.redirect(started.kind === 'AT_BANK' ? started.authorisationUrl : page, 303);
  } catch (error) {
    // Another payer was faster: the page says what is left, beside what was chosen.
    if (isRefusal(error)) return reply.redirect(page, 303);
    throw error;
  }
};

type Agreed = {
  readonly amount: Omit<ChosenAmount, 'kind'>;
  readonly payerId: string;
  readonly page: string;
};

const startByCard = async (
  tools: PageTools,
  found: FoundPayment,
  fields: Fields,
  { amount, payerId, page }: Agreed,
): Promise<string> => {
  const [cardId, resume, locale] = [fields.cardId, fields.resume, fields.locale].map(text);
  try {
    return await startCardFromPage(
      tools,
      found,
      { cardId: cardId ?? '', resume: resume ?? '', locale: locale ?? '' },
      {
        share: amount.share,
        expectedPence: amount.amountPence,
        tipPence: amount.tipPence,
        applicationUserId: payerId,
      },
    );
  } catch (error) {
    if (isRefusal(error)) return page;
    throw error;
  }
};

/** A name that decides what a simulated bank does; a real bank is told none. */
const loginHint = (tools: PageTools, tenant: Tenant, request: FastifyRequest) => {
  const chosen = scenarioOf(request);
  const known = tools.scenarios.find(({ input }) => input === chosen);
  return known && tenant.environment === 'SANDBOX' ? { loginHint: known.input } : {};
};

const isRefusal = (error: unknown): boolean =>
  error instanceof Failure && error.definition === failures.badRequest;

/** Payers of one bill are told apart by their browsers; of a whole bill there is one at a time. */
const payerOf = (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  payment: Payment,
): string => {
  if (!payment.splitsBill) return tools.ids.uuid();
  const secret = payerSecretOf(request) ?? tools.ids.token(130);
  rememberPayer(reply, secret, tools.publicUrl);
  return payerIdFor(secret, payment.paymentRequestId);
};

/** What the payer saw on the last page, if it can still be had. */
const agreedAmount = (
  payment: Payment,
  fields: Fields,
  payerId: string,
): Omit<ChosenAmount, 'kind'> | null => {
  const { amountPence } = payment;
  if (!hasAmountStep(payment)) return { share: { kind: 'REST' }, amountPence, tipPence: noPence };
  const given = amountOf(fields);
  const mine = withoutOwnShare(payment, payerId);
  const found = findAmount(mine, given?.fields ?? nothingChosen, given?.total);
  return given && found.kind === 'CHOSEN' ? found : null;
};

const bankNamed = (
  tools: PageTools,
  payment: Payment,
  { amountPence, tipPence }: Pick<ChosenAmount, 'amountPence' | 'tipPence'>,
  institutionId: string,
) =>
  tools.bankRails
    .find(payment.tenant.environment)
    ?.institutions()
    .find(
      ({ id, isEnabled, limitPence }) =>
        id === institutionId && isEnabled && amountPence + tipPence <= limitPence,
    );

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
  const { institutionId, way } = fields;
  const more = { ...choiceIn(fields), institutionId, way };
  return reply.redirect(pagePath(id, fields.locale, more), 303);
};

/** What was chosen in the amount step, for an address that leads back to it. */
const choiceIn = (fields: Fields): Readonly<Record<string, string>> => {
  const given = amountOf(fields);
  return given ? { ...given.fields, total: given.total } : {};
};
