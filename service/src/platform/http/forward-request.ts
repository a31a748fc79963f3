import type { FastifyReply, FastifyRequest } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import { DatabaseUnavailable, MerchantElsewhere } from '../database/database-unavailable.ts';
import { sentBody } from './input/sent-body.ts';

/** Marks a request that a cell has sent on: it is sent on once, and never back. */
const mark = 'florin-forwarded';
// As long as a caller of this cell may wait.
const withinMs = 30_000;
// A cell that is away costs a caller no more.
const cells = new Agent({ connect: { timeout: 2_000 } });

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
  if (request.headers[mark] !== undefined || !isLedOn(request)) return thrown;
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

/**
 * A path alone: an address with a host of its own would be asked in place of the cell. People sign in at the
 * cell that their business is in, and a secret of this cell's operator is nobody else's.
 */
const isLedOn = ({ url, routeOptions }: FastifyRequest): boolean =>
  /^\/(?!\/)/.test(url) && !/^\/(dashboard|api\/operator)/.test(routeOptions.url ?? '');

type Answer = Dispatcher.ResponseData;

/** An id that one cell does not know may be known by the next. */
const askEach = async (
  addresses: readonly string[],
  request: FastifyRequest,
): Promise<Answer | null> => {
  let answer: Answer | null = null;
  for (const address of addresses) {
    await answer?.body.dump();
    const { origin } = new URL(address);
    answer = await cells.request({
      origin,
      path: request.url,
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
