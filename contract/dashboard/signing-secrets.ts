import Type from 'typebox';
import { operation } from '../operation.ts';
import {
  promoteSigningSecret as promoteInSandbox,
  rotateSigningSecret as rotateInSandbox,
  stageSigningSecret as stageInSandbox,
} from '../sandbox/webhooks.ts';

export const listSigningSecrets = operation({
  id: 'listSigningSecrets',
  method: 'GET',
  path: '/signing-secrets',
  access: 'member',
  summary: 'List what signs webhooks now; never the secret itself.',
  rules: ['WEBHOOK-10'],
  reply: Type.Object({ data: rotateInSandbox.reply.properties.signing }),
  failsWith: [],
});

/** In both environments. The first switches the environment to v2 signatures for good. */
export const rotateSigning = operation({
  id: 'rotateSigning',
  method: 'POST',
  path: '/signing-secrets/rotate',
  access: 'member',
  summary: 'Create the signing secret, or a new one, shown once.',
  rules: ['WEBHOOK-9', 'WEBHOOK-10'],
  showsSecret: true,
  body: rotateInSandbox.body,
  bodyOptional: true,
  reply: rotateInSandbox.reply,
  failsWith: ['badRequest'],
});

export const stageSigning = operation({
  id: 'stageSigning',
  method: 'POST',
  path: '/signing-secrets/stage',
  access: 'member',
  summary: 'Create the next signing secret without using it yet, shown once.',
  rules: ['WEBHOOK-10'],
  showsSecret: true,
  body: stageInSandbox.body,
  bodyOptional: true,
  reply: stageInSandbox.reply,
  failsWith: ['badRequest', 'invalidState'],
});

export const promoteSigning = operation({
  id: 'promoteSigning',
  method: 'POST',
  path: '/signing-secrets/promote',
  access: 'member',
  summary: 'Sign with the secret that was staged.',
  rules: ['WEBHOOK-10'],
  idempotent: true,
  body: promoteInSandbox.body,
  bodyOptional: true,
  reply: promoteInSandbox.reply,
  failsWith: ['badRequest', 'invalidState'],
});
