import Type from 'typebox';
import { nullable, timestamp } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

/**
 * Makes the signing secret, or a new one. The first switches the merchant's sandbox to v2 signatures
 * for good. After a rotation the old secret signs `X-Service-Signature-Previous` for `overlapHours`.
 */
export const rotateSigningSecret = operation({
  id: 'rotateSigningSecret',
  method: 'POST',
  path: '/api/sandbox/webhook/signing-secret',
  access: 'sandboxSecret',
  summary: 'Generate or rotate the webhook signing secret of the sandbox.',
  section: '5.4, decision F.32',
  body: Type.Object({
    overlapHours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: limits.webhookSecretOverlapHoursMax, default: 24 }),
    ),
  }),
  bodyOptional: true,
  reply: Type.Object({
    signingSecret: Type.String({ description: 'whsec_ and base64. Shown this once.' }),
    createdAt: timestamp(),
    previousExpiresAt: nullable(timestamp('Until when the one before signs too.')),
  }),
  failsWith: ['badRequest', 'sandboxOnly'],
});
