import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { readTraceparent } from '#kernel/read-traceparent.ts';
import { currentTrace } from '../tracing.ts';

/** By what a request is found again, in our logs and traces and in those of others (WIRE-23). */
export type RequestTrace = {
  /** What the caller sent in X-Request-Id, or one of ours. */
  readonly requestId: string | null;
  /** That of the caller, or of our own span where traces are recorded. */
  readonly traceparent: string | null;
};

export const noTrace: RequestTrace = { requestId: null, traceparent: null };

export const traceOf = ({ id, headers }: FastifyRequest): RequestTrace => ({
  requestId: id,
  traceparent: currentTrace() ?? readTraceparent(headers.traceparent),
});

// Banks take a UUID of RFC 9562 alone.
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const givenRequestId = (headers: IncomingHttpHeaders): string | null => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && uuid.test(given) ? given.toLowerCase() : null;
};
