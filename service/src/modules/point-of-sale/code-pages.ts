import { checkoutAssets, plainAmount, renderCode } from '@florin/checkout';
import { type CodeProblem, failures } from '@florin/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { pence, penceFromPounds, poundsText } from '#kernel/pence.ts';
import { frameOf } from '#modules/bank-feed/index.ts';
import { localeOf, pagePath, sendHtml, sendNotice, sendPicture } from '#modules/checkout/index.ts';
import { traceOf } from '#platform/http/request-trace.ts';
import { qrSvg } from '#platform/qr.ts';
import { type CodePageTools, type FoundCode, findCode, payByCode, rangeOf } from './codes.ts';

type Shown = {
  readonly visit: string;
  readonly typed: string;
  readonly problem: CodeProblem | null;
};

const sendCode = (
  tools: CodePageTools,
  reply: FastifyReply,
  found: FoundCode,
  shown: Shown,
  statusCode = 200,
): FastifyReply => {
  const { tenant, code, merchant } = found;
  const locale = localeOf(reply.request);
  const { min, max } = rangeOf(found);
  const html = renderCode(
    {
      frame: frameOf(merchant, tenant.environment, tools.operator, locale),
      token: code.token,
      formToken: tools.formTokens.make(`${code.code_id}.${shown.visit}`),
      storeName: code.store_name,
      label: code.label,
      amount: code.amount_pence === null ? null : poundsText(pence(code.amount_pence)),
      minAmount: poundsText(pence(min)),
      maxAmount: poundsText(pence(max)),
      ...shown,
    },
    { scriptUrl: checkoutAssets().script.path },
  );
  return sendHtml(reply.code(statusCode), html, { accentColour: merchant.accentColour });
};

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The pages of printed codes. Reading one makes nothing: only its form does. */
export const codePageRoutes = (app: FastifyInstance, tools: CodePageTools): void => {
  app.get('/c/:token', (request, reply) => showCodePage(tools, request, reply));
  app.post('/c/:token', (request, reply) => answerCodeForm(tools, request, reply));
  app.get('/c/:token/qr.svg', async (request, reply) => {
    const { token } = request.params as { readonly token: string };
    const found = await findCode(tools, token);
    if (!found) return gone(request, reply);
    return sendPicture(reply, qrSvg(`${tools.publicUrl}/c/${token}`));
  });
};

const gone = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendNotice(reply, 404, localeOf(request), { page: 'CODE_NOT_FOUND' });

const suspended = (
  { operator }: CodePageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  { merchant, tenant }: FoundCode,
): FastifyReply => {
  const locale = localeOf(request);
  const { merchantName, support } = frameOf(merchant, tenant.environment, operator, locale);
  return sendNotice(reply, 403, locale, { page: 'MERCHANT_SUSPENDED', merchantName, support });
};

const usable = async (tools: CodePageTools, request: FastifyRequest): Promise<FoundCode | null> => {
  const { token } = request.params as { readonly token: string };
  const found = await findCode(tools, token);
  return found && found.code.status === 'ACTIVE' ? found : null;
};

const showCodePage = async (
  tools: CodePageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const found = await usable(tools, request);
  if (!found) return gone(request, reply);
  if (found.merchant.isSuspended) return suspended(tools, request, reply, found);
  const typed = text((request.query as Fields | undefined)?.amount).slice(0, maxTyped);
  return sendCode(tools, reply, found, { visit: tools.ids.token(110), typed, problem: null });
};

const maxTyped = 12;
const madeByUs = /^[0-9a-z]{16,64}$/;

const answerCodeForm = async (
  tools: CodePageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const found = await usable(tools, request);
  if (!found) return gone(request, reply);
  const fields = (request.body ?? {}) as Fields;
  const visit = visitOf(tools, found, fields);
  if (visit === null) return reply.redirect(`/c/${found.code.token}`, 303);
  const typed = text(fields.amount).slice(0, maxTyped);
  const amount = amountOf(found, typed);
  if (typeof amount === 'string')
    return sendCode(tools, reply, found, { visit, typed, problem: amount }, 422);
  try {
    const id = await payByCode(tools, found, visit, amount, traceOf(request));
    return reply.redirect(pagePath(id, fields.locale), 303);
  } catch (error) {
    if (error instanceof Failure) return refused(tools, request, reply, found, error);
    throw error;
  }
};

const refused = (
  tools: CodePageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  found: FoundCode,
  failure: Failure,
): FastifyReply => {
  // Its store takes no payments any more, or its amount is above what the merchant takes.
  if (failure.definition === failures.badRequest) return gone(request, reply);
  if (failure.definition === failures.rateLimited) return tooOften(request, reply, failure);
  if (failure.definition === failures.merchantSuspended)
    return suspended(tools, request, reply, found);
  throw failure;
};

const tooOften = (
  request: FastifyRequest,
  reply: FastifyReply,
  { retryAfterSeconds }: Failure,
): FastifyReply => {
  reply.header('retry-after', retryAfterSeconds ?? 1);
  return sendNotice(reply, 429, localeOf(request), { page: 'UNAVAILABLE', requestId: request.id });
};

/** The opening of our page that sent the form; null: another site did. */
const visitOf = (tools: CodePageTools, { code }: FoundCode, fields: Fields): string | null => {
  const visit = text(fields.visit);
  const subject = `${code.code_id}.${visit}`;
  const isOurs = madeByUs.test(visit) && tools.formTokens.isMade(subject, text(fields.formToken));
  return isOurs ? visit : null;
};

const amountOf = (found: FoundCode, typed: string): bigint | CodeProblem => {
  const { amount_pence: fixed } = found.code;
  if (fixed !== null) return fixed;
  const amount = penceFromPounds(plainAmount(typed));
  if (amount === null) return 'NOT_AN_AMOUNT';
  const { min, max } = rangeOf(found);
  return amount < min || amount > max ? 'OUT_OF_RANGE' : amount;
};
