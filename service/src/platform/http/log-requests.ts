import { isIP, isIPv6 } from 'node:net';
import type { Operation } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { metrics } from '../metrics.ts';
import { errorReply } from './error-reply.ts';
import type { Caller } from './route.ts';

/** The network that an address is in, which names no device: 203.0.113.0/24, 2001:db8:1::/48. */
export const addressPrefix = (address: string): string => {
  const text = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  // A proxy may pass on anything.
  if (isIP(text) === 0) return 'unknown';
  if (!isIPv6(text)) return `${text.split('.').slice(0, 3).join('.')}.0/24`;
  const [head = ''] = text.split('::');
  const groups = [...head.split(':').filter((group) => group !== ''), '0', '0', '0'];
  return `${groups.slice(0, 3).join(':')}::/48`;
};

/** By the template of the route, never by address: an address holds ids. */
export const countRequests = (app: FastifyInstance): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const { url = 'none' } = request.routeOptions;
    const route = request.is404 ? 'none' : `${request.method} ${url}`;
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    metrics.add('florin_http_requests_total', 1, { route, status });
    metrics.observe('florin_http_request_ms', reply.elapsedTime, { route });
    done();
  });
};

/** Who is known of a caller where a request is logged. */
export type LoggedCaller = Pick<Caller, 'tenant' | 'secretId'>;

export type NoteCaller = (
  request: FastifyRequest,
  caller: LoggedCaller,
  operation: Operation,
  /** What its reply does not show. */
  failure?: string,
) => void;

export type LoggedRequest = {
  readonly caller: LoggedCaller;
  readonly requestId: string;
  readonly requestedAt: Date;
  readonly method: string;
  readonly operation: string;
  readonly status: number;
  /** The name of the error. */
  readonly failure: string | null;
  readonly tookMs: number;
  readonly address: string;
};

type Known = {
  readonly caller: LoggedCaller;
  readonly operation: Operation;
  failure: string | null;
};

/** On the request itself: a map whose keys are requests is work for the garbage collector. */
type Noted = FastifyRequest & { loggedAs: Known | null };

/**
 * Records each request of a caller with a secret once its reply has left. Answers what is called as soon
 * as the caller of a request is known.
 */
export const logRequests = (
  app: FastifyInstance,
  { clock }: { readonly clock: { readonly now: () => Date } },
  record: (request: LoggedRequest) => void,
): NoteCaller => {
  app.decorateRequest('loggedAs', null);
  app.addHook('onError', (request, _, error, done) => {
    const of = (request as Noted).loggedAs;
    if (of) of.failure = errorReply(error).body.name;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const of = (request as Noted).loggedAs;
    if (of)
      record({
        caller: of.caller,
        requestId: request.id,
        requestedAt: new Date(clock.now().getTime() - reply.elapsedTime),
        method: request.method,
        operation: of.operation.id,
        status: reply.statusCode,
        failure: of.failure,
        tookMs: reply.elapsedTime,
        address: request.ip,
      });
    done();
  });
  return (request, caller, operation, failure) => {
    (request as Noted).loggedAs = { caller, operation, failure: failure ?? null };
  };
};
