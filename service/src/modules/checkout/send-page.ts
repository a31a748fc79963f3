import {
  checkoutAssets,
  contentSecurityPolicy,
  renderCheckout,
  renderNotice,
} from '@florin/checkout';
import type { CheckoutNotice, CheckoutView } from '@florin/contract';
import type { FastifyReply } from 'fastify';

const assets = () => {
  const { style, script } = checkoutAssets();
  return { styleUrl: style.path, scriptUrl: script.path };
};

export const sendPage = (reply: FastifyReply, view: CheckoutView): FastifyReply =>
  send(reply.code(200), renderCheckout(view, assets()));

export const sendNotice = (
  reply: FastifyReply,
  statusCode: number,
  locale: string,
  notice: CheckoutNotice,
): FastifyReply => send(reply.code(statusCode), renderNotice(notice, assets(), locale));

const send = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', contentSecurityPolicy({}))
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-opener-policy', 'same-origin')
    .send(html);
