import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { isSame } from '#simulator/channels/refuse-without.ts';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/database.ts';
import type { Faults } from '#simulator/store/faults.ts';
import { apiVersion } from '../model.ts';
import { unknownAddress } from '../operations/lists.ts';
import { ApiError } from '../rules/api-error.ts';
import { type ApiRoute, apiRoutes } from './api-routes.ts';
import { injectCardFault } from './inject-card-fault.ts';
import { type Params, parseForm } from './parameters.ts';
import { parseFile } from './parse-file.ts';
import { type Answer, type ApiContext, type ApiRequest, serveCall } from './serve-call.ts';

type ApiParts = {
  readonly context: ApiContext;
  readonly faults: Faults;
  readonly log: Log;
};

const requestIds = new WeakMap<FastifyRequest, string>();

// The API that a payments server calls with the official client.
export const openApi = async (parts: ApiParts): Promise<FastifyInstance> => {
  const { secrets, random } = parts.context.tools;
  const app = Fastify({ bodyLimit: limits.bodyBytes, routerOptions: { maxParamLength: 200 } });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, parseForm(String(body))),
  );
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: limits.fileRequestBytes },
    async (request: FastifyRequest, body: Buffer) =>
      parseFile(request.headers['content-type'] ?? '', body),
  );
  app.setErrorHandler((error: Error, request, reply) => answerError(parts, request, reply, error));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    return answerError(parts, request, reply, unknownAddress(request.method, path));
  });
  app.addHook('onRequest', async (request, reply) => {
    const id = `req_${random.text(14)}`;
    requestIds.set(request, id);
    void reply.header('request-id', id).header('stripe-version', apiVersion);
    if (!isKey(request.headers.authorization, secrets.secretKey)) throw badKey();
  });
  for (const route of apiRoutes) {
    app.route({
      method: route.method,
      url: `/v1${route.path}`,
      handler: (request, reply) => serve(parts, route, request, reply),
    });
  }
  await app.ready();
  return app;
};

const serve = async (
  parts: ApiParts,
  route: ApiRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const apiRequest = apiRequestOf(route, request);
  const fault = route.fault && (await parts.faults.take('cards', route.fault));
  const answer = fault
    ? await injectCardFault(fault, parts.context, apiRequest, () => request.raw.socket.destroy())
    : await serveCall(parts.context, apiRequest);
  if (!answer) return reply.hijack();
  return send(reply, apiRequest, answer);
};

const apiRequestOf = ({ operation, method }: ApiRoute, request: FastifyRequest): ApiRequest => {
  const [path = '', query = ''] = request.url.split('?');
  const key = request.headers['idempotency-key'];
  return {
    operation,
    method,
    path,
    id: (request.params as { id?: string }).id ?? '',
    params: { ...parseForm(query), ...(request.body as Params | undefined) },
    idempotencyKey: typeof key === 'string' && key !== '' ? key.slice(0, 255) : undefined,
    requestId: requestIds.get(request) ?? '',
  };
};

const send = (reply: FastifyReply, apiRequest: ApiRequest, answer: Answer): FastifyReply => {
  if (apiRequest.idempotencyKey) void reply.header('idempotency-key', apiRequest.idempotencyKey);
  if (answer.isReplayed) void reply.header('idempotent-replayed', 'true');
  // A stored answer stays the same, so a client need not retry.
  if (answer.status >= 500) void reply.header('stripe-should-retry', 'false');
  return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
};

const answerError = (
  { log }: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
): FastifyReply => {
  if (error instanceof ApiError) return reply.code(error.status).send({ error: error.facts });
  const given = (error as { statusCode?: number }).statusCode ?? 500;
  const isDatabaseAway = isDatabaseLost(error);
  const status = isDatabaseAway ? 503 : given;
  if (!isDatabaseAway && status >= 500) {
    log('card call failed', { request: requestIds.get(request), stack: error.stack });
  }
  const type = status >= 500 ? 'api_error' : 'invalid_request_error';
  const message = isDatabaseAway
    ? 'The database is away. Try again shortly.'
    : 'An unexpected error.';
  return reply.code(status).send({ error: { type, message } });
};

// Bearer as the client sends it, or Basic with the key as the user's name, as curl does.
const isKey = (header: string | undefined, secretKey: string): boolean => {
  const [scheme = '', value = ''] = (header ?? '').split(' ');
  const isBasic = /^basic$/i.test(scheme);
  const typed = isBasic ? Buffer.from(value, 'base64').toString().split(':')[0] : value;
  return isSame(typed, secretKey);
};

const badKey = (): ApiError =>
  new ApiError(401, {
    type: 'invalid_request_error',
    message: 'Invalid API Key provided. The registration file of the simulator holds the key.',
  });
