import Type from 'typebox';
import { nullable, oneLine, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { tenantParams } from './merchants.ts';

const scopes = ['READ', 'READ_WRITE'] as const;

export const secretFields = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: limits.accessSecretNameLength,
    ...oneLine,
    description: 'Letters, digits and spaces.',
  }),
  redirectUrl: Type.Optional(
    nullable(
      Type.String({
        maxLength: limits.urlLength,
        description: 'Where customers go whose request names no address.',
      }),
    ),
  ),
  webOrigins: Type.Optional(
    Type.Array(Type.String({ maxLength: limits.urlLength }), {
      maxItems: limits.accessSecretOrigins,
      description: 'Web pages that may call the page operations, as in https://shop.example.',
    }),
  ),
  scope: Type.Optional(Type.Enum(scopes, { description: 'Default READ_WRITE.' })),
  expiresAt: Type.Optional(nullable(Type.String({ format: 'date-time' }))),
});

export const createMerchantSecret = operation({
  id: 'createMerchantSecret',
  route: 'POST /api/operator/merchants/:merchantId/:environment/secrets',
  access: 'operator',
  summary: 'Create an access secret.',
  rules: ['OPERATE-2', 'ACCESS-2'],
  showsSecret: true,
  params: tenantParams,
  body: secretFields,
  reply: Type.Object({
    secretId: uuid(),
    secret: Type.String({ description: 'Shown in this reply only.' }),
  }),
  failsWith: ['notFound'],
});

/** Revoked secrets too, the newest first; never the secret itself. */
export const listMerchantSecrets = operation({
  id: 'listMerchantSecrets',
  route: 'GET /api/operator/merchants/:merchantId/:environment/secrets',
  access: 'operator',
  summary: 'List the access secrets of a merchant.',
  rules: ['OPERATE-2'],
  params: tenantParams,
  query: Type.Object({ page: pageNumber, size: pageSize(limits.pageSizeMax) }),
  reply: Type.Object({
    page: Type.Integer(),
    size: Type.Integer(),
    totalCount: Type.Integer(),
    data: Type.Array(
      Type.Object({
        secretId: uuid(),
        name: Type.String(),
        lastFour: Type.String(),
        redirectUrl: nullable(Type.String()),
        webOrigins: Type.Array(Type.String()),
        scope: Type.Enum(scopes),
        createdAt: timestamp(),
        expiresAt: nullable(timestamp()),
        revokedAt: nullable(timestamp()),
        lastUsedAt: nullable(timestamp()),
      }),
    ),
  }),
  failsWith: ['notFound'],
});

/** At once in the process that answers, within five seconds in every other. */
export const revokeMerchantSecret = operation({
  id: 'revokeMerchantSecret',
  route: 'DELETE /api/operator/merchants/:merchantId/:environment/secrets/:secretId',
  access: 'operator',
  summary: 'Revoke an access secret.',
  rules: ['OPERATE-2', 'ACCESS-2'],
  params: Type.Object({ ...tenantParams.properties, secretId: uuid() }),
  reply: Type.Object({ secretId: uuid() }),
  failsWith: ['notFound'],
});
