import Type from 'typebox';
import { oneLine, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { roles } from './permissions.ts';
import { emailAddress, newPassword } from './sign-in.ts';

const done = Type.Object({});
const role = () => Type.Enum([...roles]);
const token = () => Type.String({ minLength: 1, maxLength: 100 });
const rules = ['PEOPLE-9'] as const;
const invite = () =>
  Type.Object({
    inviteId: uuid(),
    path: Type.String({ description: 'Of the page that accepts it, on this server.' }),
    expiresAt: timestamp(),
    isMailed: Type.Boolean({ description: 'False: the address got as many as a day allows.' }),
  });

export const listTeam = operation({
  id: 'listTeam',
  route: 'GET /team',
  access: 'member',
  summary: 'List the people of the business, and the invites that are open, the newest first.',
  rules,
  query: Type.Object({ page: pageNumber, size: pageSize(limits.pageSizeMax) }),
  reply: Type.Object({
    page: Type.Integer({ description: 'Of the members and of the invites alike.' }),
    size: Type.Integer(),
    memberCount: Type.Integer(),
    inviteCount: Type.Integer(),
    members: Type.Array(
      Type.Object({
        personId: uuid(),
        name: Type.String(),
        email: Type.String(),
        role: role(),
        twoFactorEnabled: Type.Boolean({ description: 'By an authenticator app.' }),
        hasPasskey: Type.Boolean(),
        since: timestamp(),
      }),
    ),
    invites: Type.Array(
      Type.Object({
        inviteId: uuid(),
        email: Type.String(),
        role: role(),
        expiresAt: timestamp(),
      }),
    ),
  }),
});

/** The link is shown this once. */
export const inviteMember = operation({
  id: 'inviteMember',
  route: 'POST /team/invites',
  access: 'member',
  summary: 'Invite a person to the business.',
  rules,
  body: Type.Object({ email: emailAddress(), role: role() }),
  reply: invite(),
});

/** Its links before no longer work. */
export const resendInvite = operation({
  id: 'resendInvite',
  route: 'POST /team/invites/:inviteId/again',
  access: 'member',
  summary: 'Send an invite again, with another link.',
  rules,
  params: Type.Object({ inviteId: uuid() }),
  reply: invite(),
});

export const withdrawInvite = operation({
  id: 'withdrawInvite',
  route: 'DELETE /team/invites/:inviteId',
  access: 'member',
  summary: 'Withdraw an open invite.',
  rules,
  params: Type.Object({ inviteId: uuid() }),
  reply: done,
});

export const changeRole = operation({
  id: 'changeRole',
  route: 'PUT /team/:personId',
  access: 'member',
  summary: 'Change what a member may do.',
  rules,
  params: Type.Object({ personId: uuid() }),
  body: Type.Object({ role: role() }),
  reply: done,
  failsWith: ['conflict'],
});

export const removeMember = operation({
  id: 'removeMember',
  route: 'DELETE /team/:personId',
  access: 'member',
  summary: 'Remove a member from the business, at once.',
  rules,
  params: Type.Object({ personId: uuid() }),
  reply: done,
  failsWith: ['conflict'],
});

export const readInvite = operation({
  id: 'readInvite',
  route: 'POST /dashboard/api/invites/read',
  access: 'visitor',
  summary: 'Read what an invite is to.',
  rules,
  body: Type.Object({ token: token() }),
  reply: Type.Object({
    businessName: Type.String(),
    email: Type.String(),
    role: role(),
    isKnown: Type.Boolean({ description: 'The address has signed up: sign in, then accept.' }),
  }),
  failsWith: ['notFound'],
});

export const acceptInviteAsNew = operation({
  id: 'acceptInviteAsNew',
  route: 'POST /dashboard/api/invites/accept-new',
  access: 'visitor',
  summary: 'Accept an invite as a new person.',
  rules,
  body: Type.Object({
    token: token(),
    name: Type.String({ minLength: 1, maxLength: limits.personNameLength, ...oneLine }),
    password: newPassword(),
  }),
  reply: Type.Object({ merchantId: uuid() }),
  failsWith: ['notFound', 'conflict'],
});

export const acceptInvite = operation({
  id: 'acceptInvite',
  route: 'POST /dashboard/api/invites/accept',
  access: 'person',
  summary: 'Accept an invite to your own address.',
  rules,
  body: Type.Object({ token: token() }),
  reply: Type.Object({ merchantId: uuid() }),
  failsWith: ['notFound'],
});
