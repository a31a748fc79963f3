import Type from 'typebox';
import { nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import {
  promoteSigningSecret as promoteInSandbox,
  rotateSigningSecret as rotateInSandbox,
  setWebhookStatus,
  stageSigningSecret as stageInSandbox,
} from '../sandbox/webhooks.ts';
import { why } from './deliveries.ts';

const hourFields = {
  attempts: Type.Integer(),
  delivered: Type.Integer(),
  averageMs: nullable(Type.Integer({ description: 'From the request to the answer.' })),
  slowestMs: nullable(Type.Integer()),
};

export const listWebhookHealth = operation({
  id: 'listWebhookHealth',
  route: 'GET /webhooks/health',
  access: 'member',
  summary: 'Show how well each endpoint receives, hour by hour.',
  rules: ['DASHBOARD-45'],
  query: Type.Object({
    hours: Type.Integer({ minimum: 1, maximum: limits.webhookHealthHoursMax, default: 24 }),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        endpointId: uuid(),
        url: Type.String(),
        description: nullable(Type.String()),
        apiVersion: Type.Integer(),
        events: Type.Array(Type.String()),
        status: Type.Enum(['ACTIVE', 'PAUSED']),
        missedSince: nullable(timestamp('From when on the last pause kept events away.')),
        health: Type.Enum(['HEALTHY', 'FAILING', 'SILENT'], {
          description: 'SILENT: nothing was sent in these hours.',
        }),
        failingSince: nullable(timestamp()),
        lastDeliveredAt: nullable(timestamp()),
        why,
        pending: Type.Integer({ description: 'Deliveries that wait, up to a thousand.' }),
        ...hourFields,
        hours: Type.Array(Type.Object({ hour: timestamp('Its first moment.'), ...hourFields }), {
          description: 'Hours in which something was sent, the oldest first.',
        }),
      }),
    ),
  }),
});

export const getMissedEvents = operation({
  id: 'getMissedEvents',
  route: 'GET /webhooks/:endpointId/missed',
  access: 'member',
  summary: 'Count what an endpoint missed since it first failed or was paused.',
  rules: ['DASHBOARD-45'],
  params: Type.Object({ endpointId: uuid() }),
  reply: Type.Object({
    count: Type.Integer({
      description: `Of a replay with onlyMissed from \`since\`, at most ${limits.webhookReplayMax}.`,
    }),
    since: nullable(timestamp('Of the first of them; null where nothing was missed.')),
    isWhole: Type.Boolean({ description: 'False: there are more of them.' }),
  }),
  failsWith: ['badRequest', 'notFound'],
});

/** In both environments; while it is paused, events create no delivery to it. */
export const setEndpointStatus = operation({
  id: 'setEndpointStatus',
  route: 'POST /webhooks/:endpointId/status',
  access: 'member',
  summary: 'Pause a webhook endpoint, or let it go on.',
  rules: ['WEBHOOK-14'],
  params: setWebhookStatus.params,
  body: Type.Object({ status: Type.Enum(['ACTIVE', 'PAUSED']) }),
  reply: setWebhookStatus.reply,
  failsWith: ['environmentMismatch'],
});

export const listSigningSecrets = operation({
  id: 'listSigningSecrets',
  route: 'GET /signing-secrets',
  access: 'member',
  summary: 'List what signs webhooks now; never the secret itself.',
  rules: ['WEBHOOK-10'],
  reply: Type.Object({ data: rotateInSandbox.reply.properties.signing }),
});

/** In both environments. The first switches the environment to v2 signatures for good. */
export const rotateSigning = operation({
  id: 'rotateSigning',
  route: 'POST /signing-secrets/rotate',
  access: 'member',
  summary: 'Create the signing secret, or a new one, shown once.',
  rules: ['WEBHOOK-9', 'WEBHOOK-10'],
  showsSecret: true,
  body: rotateInSandbox.body,
  bodyOptional: true,
  reply: rotateInSandbox.reply,
});

export const stageSigning = operation({
  id: 'stageSigning',
  route: 'POST /signing-secrets/stage',
  access: 'member',
  summary: 'Create the next signing secret without using it yet, shown once.',
  rules: ['WEBHOOK-10'],
  showsSecret: true,
  body: stageInSandbox.body,
  bodyOptional: true,
  reply: stageInSandbox.reply,
  failsWith: ['invalidState'],
});

export const promoteSigning = operation({
  id: 'promoteSigning',
  route: 'POST /signing-secrets/promote',
  access: 'member',
  summary: 'Sign with the secret that was staged.',
  rules: ['WEBHOOK-10'],
  idempotent: true,
  body: promoteInSandbox.body,
  bodyOptional: true,
  reply: promoteInSandbox.reply,
  failsWith: ['invalidState'],
});
