import { createServer } from 'node:http';
import { failures } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import type { Config } from '#platform/config.ts';

/**
 * With OPERATOR_PORT the operator's API and the numbers are answered on that port alone, so that no proxy
 * leads to them by mistake. Called before routes are mounted.
 */
export const serveOperatorsApart = (
  app: FastifyInstance,
  { operatorPort, host }: Pick<Config, 'operatorPort' | 'host'>,
): void => {
  if (operatorPort === null) return;
  const server = createServer((request, response) => app.routing(request, response));
  app.addHook('onRequest', (request, _, done) => {
    const isRefused = isForOperators(request) && request.socket.localPort !== operatorPort;
    done(isRefused ? new Failure(failures.notFound) : undefined);
  });
  app.addHook(
    'onListen',
    () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(operatorPort, host, resolve);
      }),
  );
  app.addHook('preClose', async () => {
    server.close();
    server.closeIdleConnections();
  });
};

const isForOperators = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url === '/metrics' || (routeOptions.url?.startsWith('/api/operator/') ?? false);
