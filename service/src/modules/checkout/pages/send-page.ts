import {
  type ContentSecurityOptions,
  checkoutAssets,
  contentSecurityPolicy,
  type PageOperator,
  renderCheckout,
  renderNotice,
} from '@florin/checkout';
import type { CheckoutNotice, CheckoutView } from '@florin/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compressText, encodingFor } from '#platform/http/compress-text.ts';
import { pageIdOf, pagePath } from '../input/fields.ts';

const assets = (endsInDialog = false) => {
  const { script, cardScript, cardEnd } = checkoutAssets();
  return {
    scriptUrl: endsInDialog ? cardEnd.path : script.path,
    cardScriptUrl: cardScript.path,
  };
};

export const sendPage = (
  reply: FastifyReply,
  view: CheckoutView,
  statusCode = 200,
  ancestors: readonly string[] = [],
): FastifyReply => {
  const isForm = view.page === 'AT_CARD_PAGE' && view.isFramed;
  const endsInDialog = ancestors.length > 0 && !isForm;
  return sendHtml(reply.code(statusCode), renderCheckout(view, assets(endsInDialog)), {
    accentColour: view.frame.accentColour,
    ancestors,
    alsoTo: view.page === 'REVIEW' ? (view.bank.appScheme ?? null) : null,
    processor: view.page === 'AT_CARD_PAGE' ? (view.fields?.sources ?? null) : null,
    challenge: view.page === 'AT_CARD_PAGE' ? (view.challenge ?? null) : null,
  });
};

/** A picture of a page, in a frame of the dashboard. */
export const sendPreview = (reply: FastifyReply, view: CheckoutView): FastifyReply =>
  sendHtml(reply, renderCheckout(view, { scriptUrl: null, cardScriptUrl: null }), {
    accentColour: view.frame.accentColour,
    isPreview: true,
  });

const operatorOfPages = 'operatorOfPages';

/** Before pages that belong to no payment are served: they name who runs them. */
export const nameOperator = (app: FastifyInstance, operator: PageOperator): void => {
  app.decorate(operatorOfPages, operator);
};

const operatorOf = ({ server }: FastifyReply): PageOperator | null =>
  server.hasDecorator(operatorOfPages) ? server.getDecorator<PageOperator>(operatorOfPages) : null;

export const sendNotice = (
  reply: FastifyReply,
  statusCode: number,
  locale: string,
  notice: CheckoutNotice,
): FastifyReply => {
  const here = addressOf(reply.request);
  const location = { locale, here, operator: operatorOf(reply) };
  return sendHtml(reply.code(statusCode), renderNotice(notice, assets(), location), {
    accentColour: null,
  });
};

/** The address of the same page again; a posted form leads to its payment. */
const addressOf = (request: FastifyRequest): string | null => {
  if (request.method === 'GET') return request.url;
  const id = pageIdOf(request.body);
  return id ? pagePath(id, '') : null;
};

/**
 * A page with the headers of every page. Compression leaks nothing here: a page holds no secret that
 * its link does not open.
 */
export const sendHtml = (
  reply: FastifyReply,
  html: string,
  policy: Omit<ContentSecurityOptions, 'formTargets'>,
): FastifyReply => {
  const encoding = encodingFor(reply.request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return (
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'accept-encoding')
      .header('content-security-policy', contentSecurityPolicy(policy))
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      // The sheet of a wallet is a window of its own, which answers the processor's frame.
      .header(
        'cross-origin-opener-policy',
        policy.processor ? 'same-origin-allow-popups' : 'same-origin',
      )
      .send(compressText(html, encoding))
  );
};
