import { once } from 'node:events';
import { checkoutAssets, chooseLocale } from '@florin/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { paymentUrl } from '#modules/payments/index.ts';
import { errorReply } from '#platform/http/error-reply.ts';
import { qrPng, qrSvg } from '#platform/qr.ts';
import type { PageQuery } from './checkout-view.ts';
import { findLinkedPayment, finishAuthorisation } from './finish-authorisation.ts';
import { type PageTools, paymentPage } from './payment-page.ts';
import { sendNotice, sendPage } from './send-page.ts';
import { startBankPayment } from './start-bank-payment.ts';
import type { WatchPayments } from './watch-payments.ts';

export type CheckoutRouteTools = PageTools & { readonly watchPayments: WatchPayments };

type Fields = Readonly<Record<string, string | undefined>>;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const heartbeatMs = 15_000;
const yearSeconds = 31_536_000;
const imageSeconds = 300;
const mostSearchCharacters = 60;

/** The hosted page. It needs no script, shows no secret and asks no third party for anything. */
export const checkoutRoutes = (app: FastifyInstance, tools: CheckoutRouteTools): void => {
  app.setErrorHandler((error, request, reply) => {
    const answer = errorReply(error);
    if (answer.isBug) tools.log.error({ requestId: request.id, stack: stackOf(error) }, 'page bug');
    if (answer.retryAfterSeconds !== null) reply.header('retry-after', answer.retryAfterSeconds);
    return sendNotice(reply, answer.statusCode, localeOf(request), {
      page: 'UNAVAILABLE',
      requestId: request.id,
    });
  });
  app.get('/pay', (request, reply) => showPage(tools, request, reply));
  app.post('/pay/start', (request, reply) => startFromPage(tools, request, reply));
  app.get('/pay/events', (request, reply) => streamChanges(tools, request, reply));
  app.get('/bank-return', (request, reply) => returnFromBank(tools, request, reply, 'GET'));
  app.post('/bank-return', (request, reply) => returnFromBank(tools, request, reply, 'POST'));
  serveAssets(app);
  serveCodes(app, tools);
};

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const localeOf = (request: FastifyRequest): string =>
  chooseLocale(
    request.headers['accept-language'] ?? '',
    text((request.query as Fields | undefined)?.locale),
  );

const queryOf = (request: FastifyRequest): PageQuery => {
  const query = (request.query ?? {}) as Fields;
  return {
    locale: localeOf(request),
    search: text(query.search).slice(0, mostSearchCharacters),
    institutionId: text(query.institutionId) || null,
    tryAgain: text(query.again) !== '',
  };
};

const pageIdOf = (fields: unknown): string | null => {
  const id = text((fields as Fields | undefined)?.paymentRequestId).toLowerCase();
  return uuidPattern.test(id) ? id : null;
};

const showPage = async (
  tools: CheckoutRouteTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const id = pageIdOf(request.query);
  const query = queryOf(request);
  if (!id) return sendNotice(reply, 404, query.locale, { page: 'NOT_FOUND' });
  const page = await paymentPage(tools, id, query);
  if (page.kind === 'NOTICE') return sendNotice(reply, 404, query.locale, page.notice);
  return sendPage(reply, page.view, tools.bankRails.find(page.payment.tenant.environment));
};

const startFromPage = async (
  tools: CheckoutRouteTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const fields = (request.body ?? {}) as Fields;
  const id = pageIdOf(fields);
  const found = id && (await findLinkedPayment(tools, id));
  if (!id || !found) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  const page = pagePath(id, fields.locale);
  const banks = tools.bankRails.find(found.tenant.environment)?.institutions() ?? [];
  const bank = banks.find((each) => each.id === text(fields.institutionId) && each.isEnabled);
  if (!bank || !tools.formTokens.isMade(id, text(fields.formToken)))
    return reply.redirect(page, 303);
  const started = await startBankPayment(tools, found.tenant, id, {
    institutionId: bank.id,
    payerAddress: request.ip,
    payerUserAgent: request.headers['user-agent'] ?? '',
  });
  return reply.redirect(started.kind === 'AT_BANK' ? started.authorisationUrl : page, 303);
};

const pagePath = (paymentRequestId: string, locale: unknown): string => {
  const language = text(locale) === '' ? '' : `&locale=${encodeURIComponent(text(locale))}`;
  return `/pay?paymentRequestId=${paymentRequestId}&source=EXTERNAL_MERCHANT${language}`;
};

const returnFromBank = async (
  tools: CheckoutRouteTools,
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
  if (method === 'GET' && Object.keys(parameters).length === 0)
    return sendNotice(reply, 200, locale, { page: 'FRAGMENT_RETURN' });
  const state = stateOf(parameters);
  const finished = state
    ? await finishAuthorisation(tools, parameters, state)
    : ({ kind: 'BAD_RETURN' } as const);
  if (finished.kind === 'FINISHED')
    return reply.redirect(pagePath(finished.payment.paymentRequestId, ''), 303);
  if (finished.kind === 'BAD_RETURN') return sendNotice(reply, 400, locale, { page: 'BAD_RETURN' });
  return sendNotice(reply, 503, locale, { page: 'UNAVAILABLE', requestId: request.id });
};

/** The state names the payment only; the rail then checks the bank's signature over all of it. */
const stateOf = (parameters: Readonly<Record<string, string>>): string | null => {
  if (parameters.state) return parameters.state;
  const [, payload = ''] = (parameters.response ?? '').split('.');
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Fields;
    return text(claims.state) || null;
  } catch {
    return null;
  }
};

const streamChanges = async (
  tools: CheckoutRouteTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const id = pageIdOf(request.query);
  const found = id && (await findLinkedPayment(tools, id));
  if (!id || !found) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let told = -1;
  const stop = tools.watchPayments(found.tenant, id, (version) => {
    if (version === told) return;
    told = version;
    raw.write(`id: ${version}\nevent: state\ndata: ${JSON.stringify({ version })}\n\n`);
  });
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs);
  await once(raw, 'close');
  clearInterval(heartbeat);
  stop();
  return reply;
};

const serveAssets = (app: FastifyInstance): void => {
  const { style, script } = checkoutAssets();
  for (const [asset, type] of [
    [style, 'text/css; charset=utf-8'],
    [script, 'text/javascript; charset=utf-8'],
  ] as const)
    app.get(asset.path, (_, reply) =>
      reply
        .header('content-type', type)
        .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
        .header('x-content-type-options', 'nosniff')
        .send(asset.body),
    );
};

const serveCodes = (app: FastifyInstance, tools: CheckoutRouteTools): void => {
  const serve = (kind: 'svg' | 'png', type: string, draw: (link: string) => string | Buffer) =>
    app.get(`/payment-qr-codes/:file.${kind}`, async (request, reply) => {
      const id = pageIdOf({ paymentRequestId: (request.params as Fields).file });
      const found = id && (await findLinkedPayment(tools, id));
      if (!id || !found) return sendNotice(reply, 404, 'en', { page: 'NOT_FOUND' });
      return reply
        .header('content-type', type)
        .header('cache-control', `public, max-age=${imageSeconds}`)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .header('access-control-allow-origin', '*')
        .send(draw(paymentUrl(tools.publicUrl, id)));
    });
  serve('svg', 'image/svg+xml', qrSvg);
  serve('png', 'image/png', qrPng);
};
