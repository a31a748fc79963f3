import { accentStyle, checkoutAssets } from '@florin/checkout';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Fields, text } from './request-fields.ts';
import { sendNotice } from './send-page.ts';

const yearSeconds = 31_536_000;

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
