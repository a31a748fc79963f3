import Type from 'typebox';
import { eventTypes } from '../events.ts';
import { nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

export const requestResults = ['OK', 'REFUSED', 'BROKEN'] as const;

const page = Type.Integer({ minimum: 1, maximum: limits.pageSizeMax, default: 20 });

/**
 * The newest first. Bodies are not stored: they may hold what belongs to payers. A page reads at most
 * 10,000 requests for its filters, so it may be short, and still have a next one.
 */
export const listRequests = operation({
  id: 'listRequests',
  method: 'GET',
  path: '/requests',
  access: 'member',
  summary: 'List what programs called with an access secret.',
  rules: ['DASHBOARD-46'],
  query: Type.Object({
    result: Type.Optional(
      Type.Enum([...requestResults], { description: 'Status below 400, 4xx, or 5xx.' }),
    ),
    operation: Type.Optional(Type.String({ maxLength: 60 })),
    requestId: Type.Optional(Type.String({ maxLength: 100 })),
    secretId: Type.Optional(uuid()),
    before: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,18}$', errorMessage: 'must be digits' }),
    ),
    limit: page,
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        requestId: Type.String({ description: 'As in x-request-id.' }),
        at: timestamp('Real time.'),
        method: Type.String(),
        operation: Type.String(),
        path: Type.String({ description: 'With names in place of ids.' }),
        status: Type.Integer(),
        failure: nullable(Type.String({ description: 'The name of the error.' })),
        ms: Type.Number(),
        addressPrefix: Type.String({ description: 'Such as 203.0.113.0/24.' }),
        secretId: uuid(),
        secretName: nullable(Type.String()),
      }),
    ),
    nextBefore: nullable(Type.String()),
  }),
  failsWith: ['badRequest'],
});

/** Every event with or without a subscription, the newest first. */
export const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  access: 'member',
  summary: 'List events with what became of their deliveries.',
  rules: ['WEBHOOK-13', 'DASHBOARD-45'],
  query: Type.Object({
    eventType: Type.Optional(Type.Enum([...eventTypes])),
    resourceId: Type.Optional(uuid()),
    before: Type.Optional(
      Type.String({
        pattern: '^\\d{1,19}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        maxLength: 60,
        errorMessage: 'must be the nextBefore of a page',
      }),
    ),
    limit: page,
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        eventId: uuid(),
        eventType: Type.String(),
        resourceId: uuid(),
        sequence: Type.Integer(),
        isTest: Type.Boolean(),
        occurredAt: timestamp(),
        data: Type.Object({}, { additionalProperties: true }),
        deliveries: Type.Object({
          total: Type.Integer(),
          delivered: Type.Integer(),
          pending: Type.Integer(),
          failed: Type.Integer(),
        }),
      }),
    ),
    nextBefore: nullable(Type.String()),
  }),
  failsWith: ['badRequest'],
});
