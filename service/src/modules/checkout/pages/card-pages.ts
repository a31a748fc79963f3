import { cardEndAddress } from '@florin/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findOpenId, webOriginsOf } from '#modules/merchants/index.ts';
import {
  type Attempt,
  findAttempt,
  loadPayment,
  type Payment,
  standingAttempt,
  waitsForPayer,
} from '#modules/payments/index.ts';
import { leaveCardPage } from '../bank/start-bank-payment.ts';
import { finishCardPayment, reopenCardPage } from '../card/start-card-payment.ts';
import { choiceIn } from '../input/amount-query.ts';
import { embedIn, type Fields, frameIsDone, pagePath, text } from '../input/fields.ts';
import {
  type CardClient,
  cardClientOf,
  payerIdFor,
  payerSecretOf,
} from '../input/payer-browser.ts';
import { localeOf, type PageTools, pageAfter, paymentPage, queryOf } from './payment-page.ts';
import { answerPostedForm } from './return-from-bank.ts';
import { sendNotice, sendPage } from './send-page.ts';

const checkoutPath = '/card-checkout';
const endPath = '/card-checkout-redirect';

/** Clients open the first address, in a web view or a frame, and close it at the second (CARD-19). */
export const cardCheckoutRoutes = (app: FastifyInstance, tools: PageTools): void => {
  app.get(checkoutPath, { exposeHeadRoute: false }, (request, reply) =>
    openCheckout(tools, request, reply),
  );
  app.get(endPath, (request, reply) => showEnd(tools, request, reply));
};

const openCheckout = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const found = await findCheckout(tools, request, 'checkoutId');
  if (found && isInDialog(found)) return showFields(tools, request, reply, found);
  const url = found && (await reopenCardPage(tools, found.payment, found.attempt));
  if (url) return reply.header('cache-control', 'no-store').redirect(url, 303);
  const isReplaced = found && standingAttempt(found.payment, found.attempt) !== found.attempt;
  const end = isReplaced && clientEnd(found);
  if (end) return reply.redirect(end, 303);
  const error = new URLSearchParams({
    event: found ? 'cardCheckoutClosed' : 'paymentSystemInitializationFailed',
    error: 'There is no open card page under this id.',
    ...(found ? { paymentIdempotencyId: found.attempt.paymentIdempotencyId } : {}),
  });
  return reply.redirect(`${endPath}?${error}`, 303);
};

/** The processor's fields alone. They say themselves that their session has ended. */
const showFields = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Found,
): Promise<FastifyReply> => {
  const { paymentRequestId, tenant } = found.payment;
  const { paymentIdempotencyId } = found.attempt;
  const query = {
    ...queryOf(request, paymentRequestId),
    way: 'CARD',
    paymentIdempotencyId,
  } as const;
  const page = waitsForPayer(found.attempt) && (await paymentPage(tools, paymentRequestId, query));
  if (!page || page.kind === 'NOTICE' || page.view.page !== 'AT_CARD_PAGE' || !page.view.fields)
    return reply.redirect(endFor('DIALOG', found), 303);
  const view = { ...page.view, isFramed: true };
  return sendPage(reply, view, 200, await webOriginsOf(tools, tenant));
};

/** What the client reads from its address before the payment's page is shown. */
const showEnd = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const found = await findCheckout(tools, request, 'paymentIdempotencyId');
  const id = found?.payment.paymentRequestId;
  if (!id) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  const { paymentIdempotencyId } = found.attempt;
  const query = { ...queryOf(request, id), paymentIdempotencyId, stays: true };
  const page = await paymentPage(tools, id, query);
  if (page.kind === 'NOTICE') return sendNotice(reply, 404, query.locale, page.notice);
  const ancestors = isInDialog(found) ? await webOriginsOf(tools, found.payment.tenant) : [];
  return sendPage(reply, page.view, 200, ancestors);
};

type Found = { readonly payment: Payment; readonly attempt: Attempt };

const findCheckout = async (
  tools: PageTools,
  request: FastifyRequest,
  name: string,
): Promise<Found | null> => {
  const id = text(((request.query ?? {}) as Fields)[name]);
  if (!/^[0-9A-Z]{10,31}$/.test(id)) return null;
  const found = await findOpenId(tools, id, 'ATTEMPT');
  const payment = found && (await loadPayment(tools.database, found.tenant, found.targetId));
  const attempt = payment?.attempts.find((other) => other.paymentIdempotencyId === id);
  return payment && attempt?.method === 'CARD' ? { payment, attempt } : null;
};

const isInDialog = ({ attempt }: Found): boolean =>
  cardClientOf(attempt.paymentDevice) === 'DIALOG';

/** Where a client's web view or frame returns to; null for a payer with a browser. */
const clientEnd = (found: Found): string | null => {
  const client = cardClientOf(found.attempt.paymentDevice);
  return client === null ? null : endFor(client, found);
};

// A page that was closed because the payment was made by bank ends in success.
const endFor = (client: CardClient, { payment, attempt }: Found): string =>
  cardEndAddress(eventOf(standingAttempt(payment, attempt), client), attempt.paymentIdempotencyId);

/** An app closes its web view; a dialog is to ask for the status until it is final. */
const eventOf = ({ status }: Attempt, client: CardClient): string => {
  if (status === 'COMPLETED') return 'paymentSuccessful';
  if (status === 'FAILED') return 'paymentFailed';
  return status === 'PENDING' && client === 'DIALOG' ? 'paymentPending' : 'cardCheckoutClosed';
};

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
  const end = attempt && clientEnd({ payment, attempt });
  if (end) return reply.redirect(end, 303);
  // Without an end of its own it is the frame of our page.
  if (request.headers['sec-fetch-dest'] === 'iframe') return frameIsDone(reply);
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
    const more = { ...choiceIn(fields), ...embedIn(fields), again: '1' };
    return reply.redirect(pagePath(paymentRequestId, fields.locale, more), 303);
  });
