import { localeOf, sendNotice } from '#modules/checkout/index.ts';
import type { ErrorPage } from '#platform/http/open-http-server.ts';
import { sendErrorPage } from '../docs/answer-docs-errors.ts';

/** Where a mistyped address is one of a payer's, the page is theirs, in their language. */
export const errorPage: ErrorPage = (request, reply, answer) =>
  isOfPayer.test(request.url)
    ? sendNotice(reply, answer.statusCode, localeOf(request), { page: 'NOT_FOUND' })
    : sendErrorPage(reply, answer, request.id);

const isOfPayer = /^\/(?:pay|[pc]\/|bank-|card-)|[?&]paymentRequestId=/i;
