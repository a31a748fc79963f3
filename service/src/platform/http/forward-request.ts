import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Dispatcher, request as send } from 'undici';
import { DatabaseUnavailable, MerchantElsewhere } from '../database/database-unavailable.ts';
import { sentBody } from './input/sent-body.ts';

/** Marks a request that a cell has sent on: it is sent on once, and never back. */
const mark = 'florin-forwarded';
// As long as a caller of this cell may wait.
const withinMs = 30_000;

/**
 * Leads a request of a merchant that is in another cell there, and answers what that one says. Null: it was
 * answered. Otherwise the error that is left to say.
 */
export const forwardElsewhere = async (
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> => {
  if (!(thrown instanceof MerchantElsewhere)) return thrown;
  if (request.headers[mark] !== undefined || isOfDashboard(request)) return thrown;
  try {
    const answer = await askEach(thrown.addresses, request);
    if (!answer) return thrown;
    // What this cell has said already is the other's to say.
    for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
    reply.code(answer.statusCode).headers(endToEnd(answer.headers)).send(answer.body);
    return null;
  } catch (error) {
    return new DatabaseUnavailable(error, true);
  }
};

/** People sign in at the cell that their business is in. */
const isOfDashboard = ({ url }: FastifyRequest): boolean => url.startsWith('/dashboard');

type Answer = Dispatcher.ResponseData;

/** An id that one cell does not know may be known by the next. */
const askEach = async (
  addresses: readonly string[],
  request: FastifyRequest,
): Promise<Answer | null> => {
  let answer: Answer | null = null;
  for (const address of addresses) {
    await answer?.body.dump();
    answer = await send(new URL(request.url, address), {
      method: request.method as Dispatcher.HttpMethod,
      headers: {
        ...endToEnd(request.headers),
        'x-forwarded-for': [request.headers['x-forwarded-for'] ?? [], request.ip].flat().join(', '),
        'x-request-id': request.id,
        [mark]: '1',
      },
      body: sentBody(request),
      headersTimeout: withinMs,
      bodyTimeout: 0,
    });
    if (answer.statusCode !== 404) return answer;
  }
  return answer;
};

const hopByHop = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'host', 'content-length', 'expect'],
]);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const endToEnd = (headers: Headers): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || hopByHop.has(name) ? [] : [[name, value]],
    ),
  );
