import { checkoutAssets } from '@florin/checkout';
import type { FastifyInstance } from 'fastify';
import { compressText, encodingFor } from '#platform/http/compress-text.ts';
import { rateClass } from '#platform/http/rate/limit-scope.ts';

const yearSeconds = 31_536_000;
const smallest = 11;

export const serveAssets = (app: FastifyInstance): void => {
  const { script } = checkoutAssets();
  const bodies = {
    br: compressText(script.body, 'br', smallest),
    gzip: compressText(script.body, 'gzip'),
    identity: compressText(script.body, 'identity'),
  };
  app.get(script.path, rateClass('ASSET'), (request, reply) => {
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
      .header('vary', 'accept-encoding')
      .header('x-content-type-options', 'nosniff')
      .send(bodies[encoding]);
  });
};
