import type { TSchema } from 'typebox';
import { eventBodies } from '../event-bodies.ts';
import { type EventType, eventLabels } from '../events.ts';
import { sampleValue } from './sample-value.ts';

const text = (description: string) => ({ schema: { type: 'string' }, description });

const headers = {
  'X-Service-Event-Id': text('The same at every delivery of the event: handle it once.'),
  'X-Service-Event-Type': text('The event type.'),
  'X-Service-Sequence': text(
    'Counts the events of one payment, or of one refund: a lower one is older.',
  ),
  'X-Request-Id': text('Of the call that made the payment or the refund.'),
  'X-Service-Signature': text('`v1=` and the hex HMAC-SHA256 of the raw body.'),
  'webhook-id': text('The event id, as Standard Webhooks name it.'),
  'webhook-timestamp': text('Seconds since 1970.'),
  'webhook-signature': text('`v1,` and the base64 HMAC-SHA256 of id, timestamp and body.'),
};

/** What a merchant's endpoint receives, as the published document lists it. */
export const webhooks = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(eventBodies).map(([type, body]) => [
      type,
      { post: delivery(type as EventType, body) },
    ]),
  );

const delivery = (type: EventType, body: TSchema): object => ({
  operationId: `receive${type}`,
  summary: `${eventLabels[type]}.`,
  description: descriptions[type],
  tags: ['webhook'],
  security: [],
  parameters: Object.entries(headers).map(([name, header]) => ({
    name,
    in: 'header',
    required: false,
    ...header,
  })),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: plainSchema(body),
        examples: { signed: { summary: 'With a signing secret', value: example(type, body) } },
      },
    },
  },
  responses: {
    200: { description: 'Delivered.' },
    '4XX': { description: 'Every other answer: sent again for 24 hours, with growing pauses.' },
  },
});

const descriptions: Readonly<Record<EventType, string>> = {
  PAYMENTS_STATUS: 'A payment is pending, completed, authorised, failed or cancelled.',
  EXPIRED_STATUS: 'A payment request has expired before it was paid.',
  REFUND_STATUS: 'A refund is completed, failed or cancelled.',
  POS_PAYMENT_STATUS: 'A payment of the till, or its void.',
};

const example = (type: EventType, body: TSchema): object => ({
  ...Object(sampleValue(body, { onlyRequired: true })),
  eventType: type,
});

const ownKeywords = new Set(['errorMessage', 'unusual', 'published']);

/** The schema as JSON, without keywords that only our own validation reads. */
export const plainSchema = (schema: TSchema): { readonly [name: string]: unknown } =>
  JSON.parse(JSON.stringify(schema, (name, value) => (ownKeywords.has(name) ? undefined : value)));
