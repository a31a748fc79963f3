import { limits } from '@florin/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '#kernel/environment.ts';
import { closingSignal } from '#platform/http/end-with-requests.ts';
import { freeSlots, type StreamSlots, streamSlots } from '#platform/http/rate/stream-slots.ts';
import type { Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  cursorOf,
  eventsAfter,
  type FeedCursor,
  type FeedEvent,
  startOfEvents,
} from './list-webhook-events.ts';

const path = '/api/webhook/events/stream';
const lookEveryMs = 500;
const heartbeatEveryMs = 15_000;
const eventsAtOnce = 100;

type StreamTools = Uses<'database' | 'clock' | 'log'> & {
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>;
  readonly streamSlots?: StreamSlots;
  /** How long a reader that does not keep up is waited for. */
  readonly drainMs?: number;
};

/**
 * The events of a tenant as server-sent events. A reader that reconnects with the last id it
 * received continues after it; that id is the only state.
 */
export const streamWebhookEvents = (app: FastifyInstance, tools: StreamTools): void => {
  const { authenticate } = tools;
  const closing = closingSignal(app);
  const ofMerchant = streamSlots(limits.webhookStreamsPerMerchant);
  app.head(path, async (request, reply) => {
    await authenticate(request.headers.authorization);
    return reply.type('text/event-stream; charset=utf-8').send();
  });
  app.get(path, { exposeHeadRoute: false }, async (request, reply) => {
    const readTenant = async () => (await authenticate(request.headers.authorization)).tenant;
    const tenant = await readTenant();
    const cursor = await cursorOf(tools, tenant, startOf(request));
    const ofAddress = tools.streamSlots ?? freeSlots;
    const releases = [ofMerchant(tenant.merchantId)];
    try {
      releases.push(ofAddress(request.ip));
      await stream(tools, readTenant, cursor, reply, closing);
    } finally {
      for (const release of releases) release();
    }
  });
};

const startOf = (request: FastifyRequest): string | undefined => {
  const { after } = request.query as { readonly after?: unknown };
  const start = request.headers['last-event-id'] ?? after;
  return typeof start === 'string' ? start : undefined;
};

const stream = async (
  tools: StreamTools,
  readTenant: () => Promise<Tenant>,
  from: FeedCursor,
  reply: FastifyReply,
  closing: AbortSignal,
): Promise<void> => {
  reply.hijack();
  const { raw } = reply;
  const gone = new AbortController();
  raw.on('close', () => gone.abort());
  const ended = AbortSignal.any([gone.signal, closing]);
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write('retry: 1000\n\n');
  try {
    await sendEvents(tools, readTenant, from, raw, ended);
  } catch (error) {
    tools.log.warn({ error: (error as Error).message }, 'an event stream ended');
  }
  raw.end();
};

/** The secret is asked for at each look: a stream ends with the secret that opened it (ACCESS-2). */
const sendEvents = async (
  tools: StreamTools,
  readTenant: () => Promise<Tenant>,
  from: FeedCursor,
  raw: FastifyReply['raw'],
  ended: AbortSignal,
): Promise<void> => {
  let cursor = from;
  let sentAt = performance.now();
  while (!ended.aborted) {
    const events = await eventsAfter(tools, await readTenant(), cursor, eventsAtOnce);
    if (events.length > 0) {
      await write(raw, events.map(frame).join(''), ended, tools.drainMs);
      cursor = startOfEvents(events.at(-1)?.cursor);
      sentAt = performance.now();
    } else if (performance.now() - sentAt > heartbeatEveryMs) {
      await write(raw, ': still here\n\n', ended, tools.drainMs);
      sentAt = performance.now();
    }
    if (events.length < eventsAtOnce) await tools.clock.sleep(lookEveryMs, ended);
  }
};

const frame = (event: FeedEvent): string =>
  `id: ${event.cursor}\nevent: ${event.eventType}\ndata: ${JSON.stringify(event)}\n\n`;

/** Nothing piles up here: a reader that does not keep up is waited for, and then dropped. */
const write = (
  raw: FastifyReply['raw'],
  text: string,
  ended: AbortSignal,
  drainMs: number = limits.streamDrainMs,
): Promise<void> =>
  new Promise((resolve) => {
    if (raw.write(text) || ended.aborted) return resolve();
    const late = setTimeout(() => raw.destroy(), drainMs);
    const done = () => {
      clearTimeout(late);
      raw.off('drain', done);
      ended.removeEventListener('abort', done);
      resolve();
    };
    raw.on('drain', done);
    ended.addEventListener('abort', done);
  });
