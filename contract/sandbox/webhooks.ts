import Type from 'typebox';
import { nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const overlapHours = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: limits.webhookSecretOverlapHoursMax,
    default: 24,
    description: 'How long the secret before signs too; 0 ends every earlier secret.',
  }),
);

const signingSecret = Type.String({ description: 'whsec_ and base64. Shown this once.' });

const previousExpiresAt = nullable(timestamp('Until when the one before signs too.'));

const signing = Type.Array(
  Type.Object({
    role: Type.Enum(['CURRENT', 'PREVIOUS', 'NEXT']),
    createdAt: timestamp(),
    expiresAt: nullable(timestamp()),
  }),
  { description: 'What signs from now on.' },
);

/**
 * Creates the signing secret, or a new one. The first switches the merchant's sandbox to v2
 * signatures permanently. After a rotation the old secret signs `X-Service-Signature-Previous` for
 * `overlapHours`.
 */
export const rotateSigningSecret = operation({
  id: 'rotateSigningSecret',
  route: 'POST /api/sandbox/webhook/signing-secret',
  access: 'sandboxSecret',
  summary: 'Generate or rotate the webhook signing secret of the sandbox.',
  rules: ['WEBHOOK-10', 'WEBHOOK-9'],
  showsSecret: true,
  body: Type.Object({ overlapHours }),
  bodyOptional: true,
  reply: Type.Object({ signingSecret, createdAt: timestamp(), previousExpiresAt, signing }),
});

/**
 * Creates the next signing secret without using it: deliveries are signed as before and also carry
 * `X-Service-Signature-Next`, so that a receiver can be tested with it. Staging again creates
 * another one. Without a signing secret: INVALID_STATE.
 */
export const stageSigningSecret = operation({
  id: 'stageSigningSecret',
  route: 'POST /api/sandbox/webhook/signing-secret/next',
  access: 'sandboxSecret',
  summary: 'Stage the next webhook signing secret of the sandbox.',
  rules: ['WEBHOOK-10'],
  showsSecret: true,
  body: Type.Object({}),
  bodyOptional: true,
  reply: Type.Object({ signingSecret, createdAt: timestamp() }),
  failsWith: ['invalidState'],
});

/** The staged secret signs from now on, the one before for `overlapHours`. None staged: INVALID_STATE. */
export const promoteSigningSecret = operation({
  id: 'promoteSigningSecret',
  route: 'POST /api/sandbox/webhook/signing-secret/promote',
  access: 'sandboxSecret',
  summary: 'Sign webhooks of the sandbox with the secret that was staged.',
  rules: ['WEBHOOK-10'],
  idempotent: true,
  body: Type.Object({ overlapHours }),
  bodyOptional: true,
  reply: Type.Object({ signsSince: timestamp(), previousExpiresAt, signing }),
  failsWith: ['invalidState'],
});

/**
 * Pauses or resumes an endpoint of either version; without a body, only answers its state. While it
 * is paused, events create no delivery to it, due deliveries are cancelled, and its slots stay
 * taken. Missed events are sent by `replayWebhooks` with `onlyMissed` and `from` the `missedSince`
 * of the reply.
 */
export const setWebhookStatus = operation({
  id: 'setWebhookStatus',
  route: 'POST /api/sandbox/webhook/endpoints/:endpointId/status',
  access: 'sandboxSecret',
  summary: 'Pause a webhook endpoint of the sandbox, or let it go on.',
  rules: ['WEBHOOK-14'],
  idempotent: true,
  params: Type.Object({ endpointId: uuid() }),
  body: Type.Object({ status: Type.Optional(Type.Enum(['ACTIVE', 'PAUSED'])) }),
  bodyOptional: true,
  reply: Type.Object({
    id: uuid(),
    url: Type.String(),
    status: Type.Enum(['ACTIVE', 'PAUSED']),
    pausedAt: nullable(timestamp()),
    missedSince: nullable(timestamp('From when on the last pause kept events away.')),
  }),
  failsWith: ['environmentMismatch', 'notFound'],
});
