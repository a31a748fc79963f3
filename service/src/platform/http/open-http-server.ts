import { failures, limits } from '@florin/contract';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import type { Config } from '../config.ts';
import type { Ids } from '../ids.ts';
import type { Log } from '../log.ts';
import { answerBroken } from './answer-broken.ts';
import { errorReply } from './error-reply.ts';

const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 72_000;
const strictTransport = `max-age=${365 * 24 * 3_600}`;

// PostgreSQL keeps no text with this character: what holds it is refused before it becomes a bug.
const escapedNul = '\\u0000';
const nulRefused = () =>
  new Failure(failures.badRequest, { message: 'Text must not hold the character U+0000.' });

// Nor can it keep half a character: an escaped surrogate without its other half, in JSON's own text.
const halfCharacter = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;
const holdsHalfCharacter = (text: string, body: unknown): boolean =>
  /\\ud/i.test(text) && halfCharacter.test(JSON.stringify(body));
const halfRefused = () =>
  new Failure(failures.badRequest, { message: 'Text must not hold half of a character.' });

/** An address that meets no route at all: the router would answer in a shape of its own. */
const answerUnrouted = (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
  const { statusCode, body } = errorReply(error);
  reply.code(statusCode).header('x-request-id', request.id).send(body);
};

/** A server that answers every error as WIRE-5 says and names every request. */
export const openHttpServer = (tools: {
  readonly ids: Ids;
  readonly log: Log;
  readonly config: Pick<Config, 'publicUrl' | 'trustedProxies'>;
}): FastifyInstance => {
  const { publicUrl, trustedProxies } = tools.config;
  const app = fastify({
    logger: false,
    // A caller's address is the one that connects, unless that is a proxy of the operator's own.
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { ignoreDuplicateSlashes: false, maxParamLength: 200 },
    genReqId: () => tools.ids.uuid(),
    frameworkErrors: answerUnrouted,
    clientErrorHandler: answerBroken(tools),
  });
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  app.removeContentTypeParser(['application/json', 'text/plain']);
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined);
    if (text.includes(escapedNul)) return done(nulRefused());
    parseJson(request, text as string, (error, body) => {
      if (!error && holdsHalfCharacter(text as string, body)) return done(halfRefused());
      done(error, body);
    });
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (isSecure) reply.header('strict-transport-security', strictTransport);
    done(request.url.includes('%00') ? nulRefused() : undefined);
  });
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?')[0];
    throw new Failure(failures.notFound, {
      message: `There is no ${request.method} ${path} here.`,
    });
  });
  app.setErrorHandler((error, request, reply) => {
    const answer = errorReply(error);
    const route = request.routeOptions.url ?? 'unknown';
    if (answer.isBug) {
      const stack = error instanceof Error ? error.stack : String(error);
      tools.log.error({ requestId: request.id, route, stack }, 'a bug of ours');
    }
    if (answer.retryAfterSeconds !== null) reply.header('retry-after', answer.retryAfterSeconds);
    return reply.code(answer.statusCode).send(answer.body);
  });
  return app;
};
