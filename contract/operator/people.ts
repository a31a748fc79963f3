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

/** A business that signed itself up has its sandbox alone until then. Sent twice, nothing changes. */
export const admitToProduction = operation({
  id: 'admitToProduction',
  route: 'POST /api/operator/merchants/:merchantId/admission',
  access: 'operator',
  summary: 'Let the people of a merchant work in production.',
  rules: ['PEOPLE-10'],
  params: Type.Object({ merchantId: uuid() }),
  reply: Type.Object({
    admitted: Type.Integer({ description: 'People who could not before.' }),
    members: Type.Integer(),
  }),
  failsWith: ['notFound'],
});
