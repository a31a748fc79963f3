import Type from 'typebox';
import { continued, nullable, pageSize, timestamp, uuid } from '../fields.ts';
import { operation } from '../operation.ts';

/** The newest first. Of operators it shows nothing: they see their own records. */
export const listAudit = operation({
  id: 'listAudit',
  route: 'GET /audit',
  access: 'member',
  summary: 'List what members and programs changed, and how members signed in.',
  rules: ['PEOPLE-15'],
  query: Type.Object({
    actorId: Type.Optional(uuid('Of a person or an access secret.')),
    operation: Type.Optional(Type.String({ pattern: '^[a-zA-Z]{1,60}$' })),
    day: Type.Optional(
      Type.String({
        format: 'date',
        pattern: '^(19|2\\d)',
        description: 'YYYY-MM-DD in London.',
      }),
    ),
    before: Type.Optional(Type.String({ pattern: '^\\d{1,18}$' })),
    limit: pageSize(20),
  }),
  reply: continued({
    position: Type.String({ description: 'In the chain of the installation.' }),
    recordId: uuid(),
    startedAt: timestamp(),
    endedAt: nullable(timestamp('Null: it runs, or its program ended before it.')),
    actorKind: Type.Enum(['MEMBER', 'PERSON', 'SECRET']),
    actorId: nullable(uuid()),
    actor: nullable(Type.String({ description: 'Name of the person or the secret.' })),
    addressPrefix: Type.String({ description: 'Such as 203.0.113.0/24.' }),
    operation: Type.String(),
    summary: Type.String({ description: 'What the operation does, in a sentence.' }),
    environment: nullable(Type.String()),
    detail: Type.Record(Type.String(), Type.Unknown()),
    outcome: nullable(Type.String({ description: 'DONE, or the name of the failure.' })),
    madeIds: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Ids that the reply named.',
    }),
    hash: Type.String({ description: 'SHA-256 of the record and the hash before it.' }),
    previousHash: Type.String(),
  }),
});
