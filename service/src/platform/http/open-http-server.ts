import { limits } from '@florin/contract';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Ids } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { traceRequests } from '../tracing.ts';
import { prefersHtml } from './accepted.ts';
import { answerUnrouted } from './answer-unrouted.ts';
import { endWithRequests } from './end-with-requests.ts';
import { answerBroken, type ErrorReply, errorReply } from './error-reply.ts';
import { forwardElsewhere } from './forward-request.ts';
import { parseBodies, refuseUnreadable } from './input/read-json.ts';
import { givenRequestId } from './request-trace.ts';

const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 72_000;
const strictTransport = `max-age=${365 * 24 * 3_600}`;
const withSubdomains = `${strictTransport}; includeSubDomains`;
// Of what is no page: opened by itself it loads nothing, runs nothing and stands in no frame.
const noPage = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** What a person sees in a browser at an address that nothing is served at. */
export type ErrorPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ErrorReply,
) => FastifyReply;

type ServerOptions = {
  /** Of a program that ends when it takes too long; any other server cuts its requests when it closes. */
  readonly endsRequests?: boolean;
  /** Left out: a browser is answered as a program is. */
  readonly errorPage?: ErrorPage;
};

/** A server that answers every error as WIRE-5 requires and gives every request an id. */
export const openHttpServer = (
  tools: {
    readonly ids: Ids;
    readonly log: Log;
    readonly config: Pick<Config, 'publicUrl' | 'trustedProxies' | 'secureSubdomains'>;
  },
  { endsRequests = false, errorPage }: ServerOptions = {},
): FastifyInstance => {
  const { publicUrl, trustedProxies, secureSubdomains } = tools.config;
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  const transport = secureSubdomains ? withSubdomains : strictTransport;
  const { secure, headers } = openSecurity(isSecure ? transport : null);
  const sendError = (
    request: FastifyRequest,
    reply: FastifyReply,
    answer: ErrorReply,
    isUnrouted: boolean,
  ) => {
    reply.code(answer.statusCode);
    if (errorPage && isUnrouted && prefersHtml(request))
      return errorPage(request, reply.header('vary', 'accept'), answer);
    return reply.send(answer.body);
  };
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
    genReqId: ({ headers }) => givenRequestId(headers) ?? tools.ids.uuid(),
    // An address that the router cannot read: it would answer in a shape of its own.
    frameworkErrors: (error, request, reply) => {
      secure(reply.header('x-request-id', request.id));
      sendError(request, reply, errorReply(error), true);
    },
    clientErrorHandler: answerBroken(tools, headers),
  });
  if (endsRequests) endWithRequests(app);
  traceRequests(app);
  answerUnrouted(app);
  parseBodies(app);
  app.addHook('onRequest', (request, reply, done) => {
    secure(reply.header('x-request-id', request.id));
    done(refuseUnreadable(request) ?? undefined);
  });
  app.setErrorHandler(async (thrown, request, reply) => {
    const error = await forwardElsewhere(thrown, request, reply);
    if (error === null) return reply;
    const answer = errorReply(error, request.method);
    const route = request.routeOptions.url ?? 'unknown';
    if (answer.isBug) {
      const stack = error instanceof Error ? error.stack : String(error);
      tools.log.error({ requestId: request.id, route, stack }, 'internal error');
    }
    if (answer.retryAfterSeconds !== null) reply.header('retry-after', answer.retryAfterSeconds);
    return sendError(request, reply, answer, request.is404);
  });
  return app;
};

/** Nothing is stored, framed or taken for another type unless its route says so. */
const openSecurity = (transport: string | null) => {
  const headers: Readonly<Record<string, string>> = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': noPage,
    ...(transport !== null && { 'strict-transport-security': transport }),
  };
  return { headers, secure: (reply: FastifyReply): FastifyReply => reply.headers(headers) };
};
