import Type from 'typebox';
import { nullable, oneLine, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { newPassword, passkeyJson, typedPassword } from './sign-in.ts';

const done = Type.Object({});
const rules = ['PEOPLE-8'] as const;

/** Every other session ends. */
export const changePassword = operation({
  id: 'changePassword',
  route: 'POST /dashboard/api/me/password',
  access: 'person',
  summary: 'Change your password.',
  rules,
  body: Type.Object({ currentPassword: typedPassword(), newPassword: newPassword() }),
  reply: done,
  failsWith: ['wrongSignIn'],
});

/** The newest first. */
export const listSessions = operation({
  id: 'listSessions',
  route: 'GET /dashboard/api/me/sessions',
  access: 'person',
  summary: 'List where you are signed in.',
  rules,
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        sessionId: uuid(),
        isCurrent: Type.Boolean(),
        createdAt: timestamp(),
        expiresAt: timestamp(),
        address: nullable(Type.String()),
        userAgent: nullable(Type.String()),
      }),
    ),
  }),
});

export const revokeSession = operation({
  id: 'revokeSession',
  route: 'DELETE /dashboard/api/me/sessions/:sessionId',
  access: 'person',
  summary: 'End one of your sessions, at once.',
  rules,
  params: Type.Object({ sessionId: uuid() }),
  reply: done,
  failsWith: ['notFound', 'signInAgain'],
});

export const revokeOtherSessions = operation({
  id: 'revokeOtherSessions',
  route: 'DELETE /dashboard/api/me/sessions',
  access: 'person',
  summary: 'End all of your sessions but this one, at once.',
  rules,
  reply: Type.Object({ revoked: Type.Integer() }),
  failsWith: ['signInAgain'],
});

export const listPasskeys = operation({
  id: 'listPasskeys',
  route: 'GET /dashboard/api/me/passkeys',
  access: 'person',
  summary: 'List your passkeys.',
  rules,
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        passkeyId: uuid(),
        name: nullable(Type.String()),
        createdAt: timestamp(),
        backedUp: Type.Boolean({ description: 'Also on another device of the person.' }),
      }),
    ),
  }),
});

export const startPasskey = operation({
  id: 'startPasskey',
  route: 'POST /dashboard/api/me/passkeys/options',
  access: 'person',
  summary: 'Prepare a new passkey.',
  rules,
  reply: Type.Object({ options: passkeyJson() }),
  failsWith: ['signInAgain'],
});

export const addPasskey = operation({
  id: 'addPasskey',
  route: 'POST /dashboard/api/me/passkeys',
  access: 'person',
  summary: 'Add a passkey.',
  rules,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: limits.personNameLength, ...oneLine }),
    response: passkeyJson(),
  }),
  reply: done,
  failsWith: ['signInAgain'],
});

export const removePasskey = operation({
  id: 'removePasskey',
  route: 'DELETE /dashboard/api/me/passkeys/:passkeyId',
  access: 'person',
  summary: 'Remove one of your passkeys.',
  rules,
  params: Type.Object({ passkeyId: uuid() }),
  reply: done,
  failsWith: ['notFound', 'signInAgain'],
});

/** It counts once a code of the app was confirmed. The recovery codes are shown this once. */
export const startAuthenticator = operation({
  id: 'startAuthenticator',
  route: 'POST /dashboard/api/me/authenticator',
  access: 'person',
  summary: 'Prepare an authenticator app.',
  rules,
  body: Type.Object({ password: typedPassword() }),
  reply: Type.Object({
    uri: Type.String({ description: 'For the app.' }),
    qr: Type.Object({
      size: Type.Integer({ description: 'Its side in modules.' }),
      path: Type.String({ description: 'SVG: the strokes of its dark modules.' }),
    }),
    recoveryCodes: Type.Array(Type.String()),
  }),
  failsWith: ['wrongSignIn', 'conflict'],
});

export const confirmAuthenticator = operation({
  id: 'confirmAuthenticator',
  route: 'POST /dashboard/api/me/authenticator/confirm',
  access: 'person',
  summary: 'Confirm the authenticator app: from now on a sign-in by password needs its code.',
  rules,
  body: Type.Object({ code: Type.String({ minLength: 6, maxLength: 6 }) }),
  reply: done,
  failsWith: ['wrongSignIn'],
});

export const removeAuthenticator = operation({
  id: 'removeAuthenticator',
  route: 'POST /dashboard/api/me/authenticator/remove',
  access: 'person',
  summary: 'Remove the authenticator app.',
  rules,
  body: Type.Object({ password: typedPassword() }),
  reply: done,
  failsWith: ['wrongSignIn'],
});

/** Those before no longer work. */
export const replaceRecoveryCodes = operation({
  id: 'replaceRecoveryCodes',
  route: 'POST /dashboard/api/me/authenticator/recovery-codes',
  access: 'person',
  summary: 'Make new recovery codes.',
  rules,
  body: Type.Object({ password: typedPassword() }),
  reply: Type.Object({ recoveryCodes: Type.Array(Type.String()) }),
  failsWith: ['wrongSignIn'],
});
