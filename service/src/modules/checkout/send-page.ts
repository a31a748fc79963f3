import {
  checkoutAssets,
  contentSecurityPolicy,
  renderCheckout,
  renderNotice,
} from '@florin/checkout';
import type { CheckoutNotice, CheckoutView } from '@florin/contract';
import type { FastifyReply } from 'fastify';
import { compressText, encodingFor } from '#platform/http/compress-text.ts';

const assets = () => ({ scriptUrl: checkoutAssets().script.path });

export const sendPage = (reply: FastifyReply, view: CheckoutView): FastifyReply =>
  send(reply.code(200), renderCheckout(view, assets()), view.frame.accentColour);

export const sendNotice = (
  reply: FastifyReply,
  statusCode: number,
  locale: string,
  notice: CheckoutNotice,
): FastifyReply => send(reply.code(statusCode), renderNotice(notice, assets(), locale), null);

// Compressing tells nothing to who watches: a page holds no secret that its link does not open.
const send = (reply: FastifyReply, html: string, accentColour: string | null): FastifyReply => {
  const encoding = encodingFor(reply.request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('vary', 'accept-encoding')
    .header('content-security-policy', contentSecurityPolicy({ accentColour }))
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-opener-policy', 'same-origin')
    .send(compressText(html, encoding));
};
