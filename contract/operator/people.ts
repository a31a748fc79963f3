import Type from 'typebox';
import { uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

/** Sent twice, the second answers 404. */
export const deletePerson = operation({
  id: 'deletePerson',
  route: 'POST /api/operator/deleted-people',
  access: 'operator',
  summary: 'Delete a person: sign-in, passkeys, sessions, memberships, views, mails and invites.',
  rules: ['PEOPLE-16'],
  body: Type.Object({
    email: Type.String({
      minLength: 3,
      maxLength: limits.emailLength,
      description: 'With which the person signs in.',
    }),
  }),
  reply: Type.Object({ personId: uuid('Audit records keep it.') }),
  failsWith: ['notFound', 'conflict'],
});
