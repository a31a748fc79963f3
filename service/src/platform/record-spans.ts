import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readTraceparent } from '#kernel/read-traceparent.ts';
import { build } from './build.ts';
import type { Recorder } from './tracing.ts';

type Served = { readonly span: Span; readonly context: Context };

const contexts = new AsyncLocalStorageContextManager();

/** Spans of this program, in batches, to a collector that takes OTLP by HTTP. */
export const recordSpans = (
  collectorUrl: string,
  program: string,
  headers: Readonly<Record<string, string>>,
): Recorder => {
  const exporter = new OTLPTraceExporter({ url: `${collectorUrl}/v1/traces`, headers });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': `florin-${program}`,
      'service.version': build.version,
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('florin', build.version);
  contexts.enable();
  return {
    serve: (app) =>
      serveWith(app, (request) => {
        const parent = contextOf(readTraceparent(request.headers.traceparent));
        const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent);
        return { span, context: trace.setSpan(parent, span) };
      }),
    span: async (name, facts, run, given) => {
      const parent = trace.getSpan(contexts.active()) ? contexts.active() : contextOf(given);
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: facts }, parent);
      try {
        return await contexts.with(trace.setSpan(parent, span), () =>
          run((more) => span.setAttributes(more)),
        );
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    current: () => {
      const span = trace.getSpanContext(contexts.active());
      if (!span) return null;
      const flags = span.traceFlags.toString(16).padStart(2, '0');
      return `00-${span.traceId}-${span.spanId}-${flags}`;
    },
    close: async () => {
      // A collector that is gone keeps no program from ending.
      await provider.shutdown().catch(() => undefined);
      contexts.disable();
    },
  };
};

const contextOf = (traceparent: string | null): Context => {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? [];
  if (!traceId || !spanId) return ROOT_CONTEXT;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, span);
};

// Proxies and Prometheus ask every few seconds.
const isLeftOut = (url: string): boolean => /^\/(health|metrics)/.test(url);

const serveWith = (app: FastifyInstance, begin: (request: FastifyRequest) => Served): void => {
  const served = new WeakMap<FastifyRequest, Served>();
  app.addHook('onRequest', (request, _, done) => {
    if (isLeftOut(request.url)) return done();
    const begun = begin(request);
    served.set(request, begun);
    contexts.with(begun.context, done);
  });
  // The end of a body comes by an event of its socket, which knows no request.
  app.addHook('preValidation', (request, _, done) => {
    contexts.with(served.get(request)?.context ?? ROOT_CONTEXT, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = served.get(request)?.span;
    // By the template of the route, never by address: an address holds ids.
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    span?.updateName(`${request.method} ${route}`);
    span?.setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
      'florin.request_id': request.id,
    });
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
};
