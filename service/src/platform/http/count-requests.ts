import type { FastifyInstance } from 'fastify';
import { metrics } from '../metrics.ts';

/** By the template of the route, never by address: an address holds ids. */
export const countRequests = (app: FastifyInstance): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const { url = 'none' } = request.routeOptions;
    const route = request.is404 ? 'none' : `${request.method} ${url}`;
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    metrics.add('florin_http_requests_total', 1, { route, status });
    metrics.observe('florin_http_request_ms', reply.elapsedTime);
    done();
  });
};
