import Type from 'typebox';
import { uuid } from '../fields.ts';
import { operation } from '../operation.ts';

/** Shows which merchant and environment a secret belongs to, without showing the secret. */
export const getIdentity = operation({
  id: 'getIdentity',
  route: 'GET /api/cli/identity',
  access: 'secret',
  summary: 'Read which merchant and environment a secret belongs to.',
  rules: ['ACCESS-3'],
  reply: Type.Object({
    merchantId: uuid(),
    businessName: Type.String(),
    key: Type.Object({
      sdkAccessId: uuid('Names the secret; it is not the secret.'),
      env: Type.Enum(['SANDBOX', 'PRODUCTION']),
      keyType: Type.String({ description: 'SDK: a secret made for programs.' }),
    }),
  }),
});
