import Type from 'typebox';
import { uuid } from '../fields.ts';
import { operation } from '../operation.ts';
import { createMerchantSecret, listMerchantSecrets, secretFields } from '../operator/secrets.ts';

const { name, redirectUrl, webOrigins } = secretFields.properties;

export const listSecrets = operation({
  id: 'listSecrets',
  route: 'GET /secrets',
  access: 'member',
  summary: 'List the access secrets of the environment, revoked ones too, the newest first.',
  rules: ['ACCESS-2', 'DASHBOARD-44'],
  query: listMerchantSecrets.query,
  reply: listMerchantSecrets.reply,
});

export const createSecret = operation({
  id: 'createSecret',
  route: 'POST /secrets',
  access: 'member',
  summary: 'Create an access secret, shown once.',
  rules: ['ACCESS-2', 'DASHBOARD-44'],
  showsSecret: true,
  body: secretFields,
  reply: createMerchantSecret.reply,
  failsWith: ['merchantSuspended'],
});

/** What is left out stays as it is. Programs notice within five seconds. */
export const changeSecret = operation({
  id: 'changeSecret',
  route: 'PUT /secrets/:secretId',
  access: 'member',
  summary: 'Change name, return address or web origins of an access secret.',
  rules: ['ACCESS-2', 'ACCESS-4', 'DASHBOARD-44'],
  params: Type.Object({ secretId: uuid() }),
  body: Type.Object({ name: Type.Optional(name), redirectUrl, webOrigins }),
  reply: Type.Object({ secretId: uuid() }),
});

/** At once in the process that answers, within five seconds in every other. */
export const revokeSecret = operation({
  id: 'revokeSecret',
  route: 'DELETE /secrets/:secretId',
  access: 'member',
  summary: 'Revoke an access secret for good.',
  rules: ['ACCESS-2', 'DASHBOARD-44'],
  params: Type.Object({ secretId: uuid() }),
  reply: Type.Object({ secretId: uuid() }),
});
