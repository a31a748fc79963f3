import { failures } from '@florin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import { Failure } from '#kernel/failure.ts';
import { DatabaseUnavailable, MerchantElsewhere } from '../database/database-unavailable.ts';
import { refusedSecret } from './bearer-secret.ts';
import { isLedHere, marksOf } from './cell-marks.ts';
import { sentBody } from './input/sent-body.ts';

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
  // The cell that led it here asks the others itself.
  if (isLedHere(request)) return unknownHere(thrown, request);
  const mark = marksOf(request)?.of(request);
  if (!mark || !isLedOn(request)) return thrown;
  try {
    const answer = await askEach(thrown, request, mark);
    if (!answer) return thrown;
    // What this cell has said already is the other's to say.
    for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
    reply.code(answer.statusCode).headers(endToEnd(answer.headers)).send(answer.body);
    return null;
  } catch (error) {
    return new DatabaseUnavailable(error, true);
  }
};

const unknownHere = (thrown: MerchantElsewhere, { headers }: FastifyRequest): Error => {
  if (thrown.unknownStatus === 401) return refusedSecret(headers.authorization);
  return thrown.unknownStatus === 404 ? new Failure(failures.notFound) : thrown;
};

/**
 * A path alone: an address with a host of its own would be asked in place of the cell. People sign in at the
 * cell that their business is in, and a secret of this cell's operator is nobody else's.
 */
const isLedOn = ({ url, routeOptions }: FastifyRequest): boolean =>
  /^\/(?!\/)/.test(url) && !/^\/(dashboard|api\/operator)/.test(routeOptions.url ?? '');

type Answer = Dispatcher.ResponseData;

/** What a cell said, or why it could not be asked. */
type Asked = Answer | Error;

/** A cell that is limited or unavailable has not. */
const hasLooked = (asked: Asked): asked is Answer =>
  !(asked instanceof Error) && asked.statusCode !== 429 && asked.statusCode < 500;

const dump = async (asked: Asked | null): Promise<void> => {
  if (asked && !(asked instanceof Error)) await asked.body.dump();
};

/** What one cell does not know may be known by the next; that one has not looked counts for more. */
const askEach = async (
  { addresses, unknownStatus, onFound }: MerchantElsewhere,
  request: FastifyRequest,
  mark: Readonly<Record<string, string>>,
): Promise<Answer | null> => {
  let kept: Asked | null = null;
  for (const address of addresses) {
    const asked = await askOne(address, request, mark).catch((error: Error) => error);
    if (hasLooked(asked) && asked.statusCode !== unknownStatus) {
      await dump(kept);
      onFound(address, asked.statusCode);
      return asked;
    }
    const isKept = kept === null || (!hasLooked(asked) && hasLooked(kept));
    await dump(isKept ? kept : asked);
    if (isKept) kept = asked;
  }
  if (kept instanceof Error) throw kept;
  return kept;
};

const askOne = (
  address: string,
  request: FastifyRequest,
  mark: Readonly<Record<string, string>>,
): Promise<Answer> =>
  cells.request({
    origin: new URL(address).origin,
    path: request.url,
    method: request.method as Dispatcher.HttpMethod,
    headers: { ...endToEnd(request.headers), 'x-request-id': request.id, ...mark },
    body: sentBody(request),
    headersTimeout: withinMs,
    bodyTimeout: 0,
  });

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
