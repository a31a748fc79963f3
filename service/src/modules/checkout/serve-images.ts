import { accentStyle, checkoutAssets } from '@florin/checkout';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { paymentUrl } from '#modules/payments/index.ts';
import { qrPng, qrSvg } from '#platform/qr.ts';
import { findLinkedPayment } from './finish-authorisation.ts';
import type { PageTools } from './payment-page.ts';
import { type Fields, pageIdOf, text } from './request-fields.ts';
import { sendNotice } from './send-page.ts';

const yearSeconds = 31_536_000;
const imageSeconds = 300;

export const serveAssets = (app: FastifyInstance): void => {
  const { style, script } = checkoutAssets();
  app.get(style.path, (_, reply) => sendAsset(reply, 'text/css', style.body));
  app.get(script.path, (_, reply) => sendAsset(reply, 'text/javascript', script.body));
  app.get('/assets/accent-:colour.css', (request, reply) => {
    const body = accentStyle(`#${text((request.params as Fields).colour)}`);
    if (body === null) return sendNotice(reply, 404, 'en', { page: 'NOT_FOUND' });
    return sendAsset(reply, 'text/css', body);
  });
};

const sendAsset = (reply: FastifyReply, type: string, body: string): FastifyReply =>
  reply
    .header('content-type', `${type}; charset=utf-8`)
    .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
    .header('x-content-type-options', 'nosniff')
    .send(body);

/** QR codes of a payment's link, at addresses that never expire (interface 2.3). */
export const serveCodes = (app: FastifyInstance, tools: PageTools): void => {
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
