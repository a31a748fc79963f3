import { listReceiptMails as listReceiptMailsOperation } from '@florin/contract';
import { mailReceipt as mailReceiptOperation } from '@florin/contract/dashboard/index.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { leadToCells } from '#modules/merchants/index.ts';
import { idsOfShortCode } from '#modules/payments/index.ts';
import { closingSignal } from '#platform/http/end-with-requests.ts';
import { errorReply } from '#platform/http/error-reply.ts';
import { forwardElsewhere } from '#platform/http/forward-request.ts';
import { rateClass } from '#platform/http/rate/open-rate-limit.ts';
import type { StreamSlots } from '#platform/http/rate/stream-slots.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { servePaymentImages } from './images/serve-payment-images.ts';
import { type Fields, pageIdOf, pagePath, text } from './input/fields.ts';
import { rememberOpened } from './input/payer-browser.ts';
import { cardCheckoutRoutes, cardPageRoutes } from './pages/card-pages.ts';
import type { PageOpenings } from './pages/page-openings.ts';
import {
  localeOf,
  type PageTools,
  paymentPage,
  queryOf,
  rememberChoices,
} from './pages/payment-page.ts';
import { serveAssets, serveBankIcons, serveMerchantLogos } from './pages/pictures.ts';
import { returnFromBank } from './pages/return-from-bank.ts';
import { sendNotice, sendPage } from './pages/send-page.ts';
import { extendByPayer, startFromPage } from './pages/start-from-page.ts';
import { findShortLink } from './pages/store.ts';
import { streamChanges, type WatchPayments } from './pages/watch-payments.ts';
import {
  listReceiptMails,
  mailReceipt,
  requestReceipt,
  sendReceiptFile,
} from './receipts/receipts.ts';

export type CheckoutRouteTools = PageTools & {
  readonly openings: Pick<PageOpenings, 'record'>;
  readonly watchPayments: WatchPayments;
  readonly streamSlots: StreamSlots;
};

// A return acts and a stream does not end: HEAD answers there and does neither.
const withoutHead = { exposeHeadRoute: false } as const;

/** The hosted page. It needs no script, shows no secret and loads nothing from third parties. */
export const checkoutRoutes = (app: FastifyInstance, tools: CheckoutRouteTools): void => {
  app.setErrorHandler(async (thrown, request, reply) => {
    const error = await forwardElsewhere(thrown, request, reply);
    if (error === null) return reply;
    const answer = errorReply(error);
    if (answer.isBug) tools.log.error({ requestId: request.id, stack: stackOf(error) }, 'page bug');
    if (answer.retryAfterSeconds !== null) reply.header('retry-after', answer.retryAfterSeconds);
    if (answer.statusCode === 404)
      return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
    return sendNotice(reply, answer.statusCode, localeOf(request), {
      page: 'UNAVAILABLE',
      requestId: request.id,
    });
  });
  rememberChoices(app, tools);
  app.get('/pay', (request, reply) => showPage(tools, request, reply));
  app.get('/p/:code', (request, reply) => followShortCode(tools, request, reply));
  app.post('/pay/start', (request, reply) => startFromPage(tools, request, reply));
  app.post('/pay/more-time', (request, reply) => extendByPayer(tools, request, reply));
  app.post('/pay/receipt', (request, reply) => requestReceipt(tools, request, reply));
  app.get('/pay/receipt.pdf', rateClass('FILE'), (request, reply) =>
    sendReceiptFile(tools, request, reply),
  );
  const closing = closingSignal(app);
  app.get('/pay/events', withoutHead, (request, reply) =>
    streamChanges(tools, request, reply, closing),
  );
  app.get('/bank-return', withoutHead, (request, reply) =>
    returnFromBank(tools, request, reply, 'GET'),
  );
  app.post('/bank-return', (request, reply) => returnFromBank(tools, request, reply, 'POST'));
  for (const path of ['/pay/events', '/bank-return', '/card-return', '/card-checkout'])
    app.head(path, (_, reply) => reply.send());
  cardPageRoutes(app, tools);
  cardCheckoutRoutes(app, tools);
  serveAssets(app);
  serveBankIcons(app, tools);
  serveMerchantLogos(app, tools);
  servePaymentImages(app, tools);
};

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const showPage = async (
  tools: CheckoutRouteTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const id = pageIdOf(request.query);
  if (!id) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  const query = queryOf(request, id);
  const page = await paymentPage(tools, id, query);
  if (page.kind === 'NOTICE') return sendNotice(reply, 404, query.locale, page.notice);
  if (request.method === 'GET') {
    tools.openings.record(page.payment);
    const { view } = page;
    const returns = view.page === 'RESULT' && view.returnInSeconds !== null;
    if (view.page !== 'BILL_PAID') rememberOpened(request, reply, id, { returns });
  }
  return sendPage(reply, page.view);
};

/** `/p/<code>`: for paper and speech; it leads to the page, or to the receipt of the payment it names. */
const followShortCode = async (
  { database }: Uses<'database'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const ids = idsOfShortCode(text((request.params as Fields).code));
  const id = ids && (await findShortLink(database, ids));
  if (ids && !id) await leadToCells({ database });
  if (!id) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  const { locale, payment } = request.query as Fields;
  const receipt = text(payment) === '' ? {} : { payment, stay: '1' };
  return reply.header('cache-control', 'no-store').redirect(pagePath(id, locale, receipt), 303);
};

export const merchantRoutes = (tools: Uses<'database' | 'secrets'>): readonly Route[] => [
  route(listReceiptMailsOperation, ({ query }, { tenant }) =>
    listReceiptMails(tools, tenant, query),
  ),
];

export const memberRoutes = (tools: PageTools): readonly Route[] => [
  route(mailReceiptOperation, ({ params, body }, { tenant }) =>
    mailReceipt(tools, tenant, params.paymentRequestId, body),
  ),
];
