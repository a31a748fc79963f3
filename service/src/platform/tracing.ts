import type { FastifyInstance } from 'fastify';

export type SpanFacts = Readonly<Record<string, string | number>>;

/** Adds what is known later. */
export type NoteFacts = (facts: SpanFacts) => void;

export type Recorder = {
  /** Each request from then on is a span. */
  readonly serve: (app: FastifyInstance) => void;
  /** What runs in it, and the spans in that, belong to the same trace. */
  readonly span: <Value>(
    name: string,
    facts: SpanFacts,
    run: (note: NoteFacts) => Promise<Value>,
    parent: string | null,
  ) => Promise<Value>;
  /** The span that runs here, as `traceparent` has it. */
  readonly current: () => string | null;
  /** Sends what waits. */
  readonly close: () => Promise<void>;
};

// One for the process, as its log and its numbers: a span knows by itself in which it runs.
let recorder: Recorder | null = null;

/** From now on. OpenTelemetry is loaded here and not before: who does not use it pays nothing. */
export const startTracing = async (
  collectorUrl: string,
  program: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> => {
  const { recordSpans } = await import('./record-spans.ts');
  recorder = recordSpans(collectorUrl, program, headers);
};

export const endTracing = async (): Promise<void> => {
  const ending = recorder;
  recorder = null;
  await ending?.close();
};

export const traceRequests = (app: FastifyInstance): void => recorder?.serve(app);

export const currentTrace = (): string | null => recorder?.current() ?? null;

const noteNothing: NoteFacts = () => undefined;

/** `parent`: the trace that what runs belongs to, where it is not that of the caller. */
export const traced = <Value>(
  name: string,
  facts: SpanFacts,
  run: (note: NoteFacts) => Promise<Value>,
  parent: string | null = null,
): Promise<Value> => (recorder ? recorder.span(name, facts, run, parent) : run(noteNothing));
