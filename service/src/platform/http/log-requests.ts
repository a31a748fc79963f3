import type { Operation } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorReply } from './error-reply.ts';
import type { Caller } from './route.ts';

export type LoggedRequest = {
  readonly caller: Caller;
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

type Known = { readonly caller: Caller; readonly operation: Operation; failure: string | null };

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
): ((request: FastifyRequest, caller: Caller, operation: Operation) => void) => {
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
  return (request, caller, operation) => {
    (request as Noted).loggedAs = { caller, operation, failure: null };
  };
};
