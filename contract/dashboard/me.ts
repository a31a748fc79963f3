import Type from 'typebox';
import { uuid } from '../fields.ts';
import { operation } from '../operation.ts';
import { suspensionFields } from '../operator/merchants.ts';
import { permissions, roles } from './permissions.ts';

/** Who is signed in, and what they may do where: the first call of the dashboard. */
export const getMe = operation({
  id: 'getMe',
  route: 'GET /dashboard/api/me',
  access: 'person',
  summary: 'Read who is signed in and what they may do.',
  rules: ['PEOPLE-4'],
  reply: Type.Object({
    personId: uuid(),
    name: Type.String(),
    email: Type.String(),
    emailVerified: Type.Boolean(),
    twoFactorEnabled: Type.Boolean(),
    needsSecondFactor: Type.Boolean({
      description: 'They may not do here what needs one: it is not set up, or was not used.',
    }),
    isOperator: Type.Boolean({ description: 'Operates this installation.' }),
    operatorName: Type.String({ description: 'Who runs the installation, for people.' }),
    sessionId: uuid('The session that calls.'),
    /** Until then the acts that need it run without another sign-in. */
    steppedUpUntil: Type.String(),
    memberships: Type.Array(
      Type.Object({
        merchantId: uuid(),
        businessName: Type.String(),
        sandboxAheadMs: Type.Integer({
          description: 'How far its sandbox clock is ahead of real time.',
        }),
        environments: Type.Array(Type.Enum(['sandbox', 'production'])),
        suspensions: Type.Array(
          Type.Object({
            environment: Type.Enum(['sandbox', 'production']),
            reason: suspensionFields.reason,
            suspendedAt: suspensionFields.suspendedAt,
          }),
          { description: 'Where the operator has suspended the business.' },
        ),
        role: Type.Enum([...roles]),
        permissions: Type.Array(Type.Enum([...permissions])),
      }),
    ),
  }),
});
