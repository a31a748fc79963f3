import Type from 'typebox';
import { eventTypes } from '../events.ts';
import { digits, nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const states = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELLED'];

const delivery = {
  deliveryId: Type.String(),
  endpointId: uuid(),
  eventId: uuid('The same over all retries and replays: X-Service-Event-Id.'),
  eventType: Type.String(),
  resourceId: uuid('The payment request or refund that the event is about.'),
  kind: Type.String({ description: 'LIVE, REPLAY or TEST.' }),
  state: Type.String({ description: 'PENDING, DELIVERED, EXHAUSTED or CANCELLED.' }),
  attempts: Type.Integer(),
  nextAttemptAt: nullable(timestamp()),
  lastStatus: nullable(Type.Integer({ description: 'HTTP status of the last answer.' })),
  lastError: nullable(Type.String()),
  createdAt: timestamp(),
  completedAt: nullable(timestamp()),
};

const pageLimit = Type.Integer({ minimum: 1, maximum: limits.pageSizeMax, default: 20 });

/** The newest first. Credentials and signatures in the logged headers are masked. */
export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  route: 'GET /api/webhook/v2/endpoints/:endpointId/deliveries',
  access: 'secret',
  summary: 'List the deliveries to an endpoint.',
  rules: ['WEBHOOK-13'],
  params: Type.Object({ endpointId: uuid() }),
  query: Type.Object({
    limit: pageLimit,
    before: Type.Optional(digits),
    state: Type.Optional(Type.Enum(states)),
    eventId: Type.Optional(uuid()),
  }),
  reply: Type.Object({
    data: Type.Array(Type.Object(delivery)),
    nextBefore: nullable(Type.String({ description: '`before` of the next page.' })),
  }),
  failsWith: ['environmentMismatch', 'notFound'],
});

/** Kept for 30 days; bodies are cut at 16 KiB. */
export const getWebhookDelivery = operation({
  id: 'getWebhookDelivery',
  route: 'GET /api/webhook/v2/endpoints/:endpointId/deliveries/:deliveryId',
  access: 'secret',
  summary: 'Read a delivery with its attempts.',
  rules: ['WEBHOOK-13'],
  params: Type.Object({ endpointId: uuid(), deliveryId: digits }),
  reply: Type.Object({
    ...delivery,
    body: nullable(Type.String({ description: 'The event without its signature fields.' })),
    log: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        attemptedAt: timestamp(),
        outcome: Type.String({
          description:
            'DELIVERED, STATUS, TIMEOUT, DNS, CONNECT, TLS, RESET, BLOCKED, AUTH or CANCELLED.',
        }),
        status: nullable(Type.Integer()),
        dnsMs: nullable(Type.Number()),
        connectMs: nullable(Type.Number()),
        firstByteMs: nullable(Type.Number()),
        totalMs: nullable(Type.Number()),
        requestHeaders: nullable(Type.Object({}, { additionalProperties: true })),
        bodySha256: nullable(Type.String()),
        responseHeaders: nullable(Type.Object({}, { additionalProperties: true })),
        responseBody: nullable(Type.String()),
        retryAfterSeconds: nullable(Type.Integer()),
        superseded: Type.Boolean({
          description: 'Another worker had taken the delivery over; this answer did not count.',
        }),
      }),
    ),
  }),
  failsWith: ['environmentMismatch', 'notFound'],
});

/**
 * Delivers again: one delivery, one event, or what happened between two instants, of the event
 * types that the endpoint has or had. `onlyFailed` takes only deliveries that were given up;
 * `onlyMissed` everything the endpoint never received: given up, cancelled, or not created while it
 * was paused or did not exist. A replay has the same event id and its own 24 hours; an event that
 * is still pending for the endpoint is left out (a single one: CONFLICT). At most 1000 a call,
 * spread over time; continue with `after`, also when nothing was scheduled. A paused endpoint:
 * INVALID_STATE.
 */
export const replayWebhooks = operation({
  id: 'replayWebhooks',
  route: 'POST /api/webhook/v2/endpoints/:endpointId/replay',
  access: 'secret',
  summary: 'Deliver events again.',
  rules: ['WEBHOOK-13'],
  idempotent: true,
  params: Type.Object({ endpointId: uuid() }),
  body: Type.Object(
    {
      deliveryId: Type.Optional(digits),
      eventId: Type.Optional(uuid()),
      from: Type.Optional(Type.String({ format: 'date-time' })),
      to: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive.' })),
      onlyFailed: Type.Optional(Type.Boolean()),
      onlyMissed: Type.Optional(Type.Boolean()),
      after: Type.Optional(
        Type.String({ maxLength: 100, description: 'A cursor, also of the feed.' }),
      ),
      perSecond: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limits.webhookReplayPerSecondMax }),
      ),
    },
    {
      published: {
        anyOf: ['deliveryId', 'eventId', 'from', 'to', 'after', 'onlyFailed', 'onlyMissed'].map(
          (name) => ({ required: [name] }),
        ),
      },
    },
  ),
  reply: Type.Object({
    scheduled: Type.Integer({ description: 'Deliveries that were made.' }),
    nextAfter: nullable(Type.String({ description: '`after` of the next call; null at the end.' })),
  }),
  failsWith: ['environmentMismatch', 'notFound', 'conflict', 'invalidState'],
});

const event = Type.Object({
  cursor: Type.String({ description: 'Opaque. `after` of the next call.' }),
  eventId: uuid(),
  eventType: Type.Enum([...eventTypes]),
  resourceId: uuid(),
  sequence: Type.Integer({ description: 'Counts the events of one resource.' }),
  isTest: Type.Boolean(),
  occurredAt: timestamp(),
  data: Type.Object({}, { additionalProperties: true }),
});

/**
 * Every event, with or without a subscription, in an order in which none can be missed. The same as
 * server-sent events: `Accept: text/event-stream` at `/api/webhook/events/stream`, resumed by
 * `Last-Event-ID` or `after`.
 */
export const listWebhookEvents = operation({
  id: 'listWebhookEvents',
  route: 'GET /api/webhook/events',
  access: 'secret',
  summary: 'Read events after a cursor.',
  rules: ['WEBHOOK-13'],
  query: Type.Object({
    after: Type.Optional(
      Type.String({ maxLength: 100, description: '`now` skips what has happened so far.' }),
    ),
    limit: pageLimit,
  }),
  reply: Type.Object({
    data: Type.Array(event),
    cursor: nullable(Type.String({ description: 'Where to go on.' })),
  }),
});

/**
 * One mail per outage of an endpoint, and in the sandbox the statement of each month. Without a mail server
 * they are stored and shown here.
 */
export const listWebhookMails = operation({
  id: 'listWebhookMails',
  route: 'GET /api/webhook/mails',
  access: 'secret',
  summary: 'List the mails about failing endpoints, the newest first.',
  rules: ['WEBHOOK-6'],
  query: Type.Object({ limit: pageLimit }),
  reply: Type.Array(
    Type.Object({
      to: nullable(Type.String({ description: "The owner's address, if there is one." })),
      subject: Type.String(),
      text: Type.String(),
      createdAt: timestamp(),
      sentAt: nullable(timestamp()),
      lastError: nullable(Type.String()),
    }),
  ),
});
