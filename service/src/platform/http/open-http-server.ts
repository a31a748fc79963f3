import { limits } from '@florin/contract';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Ids } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { endWithRequests } from './end-with-requests.ts';
import { answerBroken, answerUnrouted, errorReply } from './error-reply.ts';
import { parseBodies, refuseUnreadable } from './input/read-json.ts';

const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 72_000;
const strictTransport = `max-age=${365 * 24 * 3_600}`;

/** An address that the router cannot read: it would answer in a shape of its own. */
const answerUnreadable = (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
  const { statusCode, body } = errorReply(error);
  reply.code(statusCode).header('x-request-id', request.id).send(body);
};

/** A server that answers every error as WIRE-5 requires and gives every request an id. */
export const openHttpServer = (
  tools: {
    readonly ids: Ids;
    readonly log: Log;
    readonly config: Pick<Config, 'publicUrl' | 'trustedProxies'>;
  },
  /** Of a program that ends when it takes too long; any other server cuts its requests when it closes. */
  endsRequests = false,
): FastifyInstance => {
  const { publicUrl, trustedProxies } = tools.config;
  const app = fastify({
    logger: false,
    // A caller's address is the connecting one, unless that is a proxy of the operator.
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // While it closes, what comes on open connections is served too.
    return503OnClosing: false,
    forceCloseConnections: !endsRequests,
    exposeHeadRoutes: true,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: false,
      maxParamLength: 200,
    },
    genReqId: () => tools.ids.uuid(),
    frameworkErrors: answerUnreadable,
    clientErrorHandler: answerBroken(tools),
  });
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  if (endsRequests) endWithRequests(app);
  answerUnrouted(app);
  parseBodies(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (isSecure) reply.header('strict-transport-security', strictTransport);
    done(refuseUnreadable(request) ?? undefined);
  });
  app.setErrorHandler((error, request, reply) => {
    const answer = errorReply(error, request.method);
    const route = request.routeOptions.url ?? 'unknown';
    if (answer.isBug) {
      const stack = error instanceof Error ? error.stack : String(error);
      tools.log.error({ requestId: request.id, route, stack }, 'internal error');
    }
    if (answer.retryAfterSeconds !== null) reply.header('retry-after', answer.retryAfterSeconds);
    return reply.code(answer.statusCode).send(answer.body);
  });
  return app;
};
