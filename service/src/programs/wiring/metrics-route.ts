import { failures } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import type { Config } from '#platform/config.ts';
import { metrics } from '#platform/metrics.ts';
import { equalsSecretly } from '#platform/secrets/open-secrets.ts';

/** Numbers for the operator's own monitoring, in the text format of Prometheus. */
export const metricsRoute = (
  app: FastifyInstance,
  { metricsToken }: Pick<Config, 'metricsToken'>,
): void => {
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, metricsToken)) throw new Failure(failures.notFound);
    const memory = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    metrics.set('florin_process_resident_bytes', memory.rss);
    metrics.set('florin_process_heap_used_bytes', memory.heapUsed);
    metrics.set('florin_process_cpu_seconds_total', (user + system) / 1_000_000);
    metrics.set('florin_process_uptime_seconds', Math.floor(process.uptime()));
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
