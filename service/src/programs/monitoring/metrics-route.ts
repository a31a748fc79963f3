import { failures } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { metrics } from '#platform/metrics.ts';
import { equalsSecretly } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import { openObserver } from './observe.ts';

/** Numbers for the operator's own monitoring, in the text format of Prometheus. */
export const metricsRoute = (
  app: FastifyInstance,
  tools: Uses<'clock' | 'config' | 'database' | 'log'>,
): void => {
  const observe = openObserver(tools);
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, tools.config.metricsToken)) throw new Failure(failures.notFound);
    await observe();
    return reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(metrics.text());
  });
};

const loopback = /^(127\.|::1$|::ffff:127\.)/;

// A proxy on this machine connects from it too, for other callers: these headers show it.
const ofProxies = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'];

const mayRead = (request: FastifyRequest, token: string | null): boolean => {
  if (token !== null) return equalsSecretly(request.headers.authorization ?? '', `Bearer ${token}`);
  const isForwarded = ofProxies.some((name) => request.headers[name] !== undefined);
  return !isForwarded && loopback.test(request.socket.remoteAddress ?? '');
};
