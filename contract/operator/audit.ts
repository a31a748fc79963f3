import Type from 'typebox';
import { nullable, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

/** The newest first. This call is a record too. */
export const listAuditRecords = operation({
  id: 'listAuditRecords',
  route: 'GET /api/operator/audit-records',
  access: 'operator',
  summary: 'List what operators, members and programs changed.',
  rules: ['OPERATE-3', 'PEOPLE-15'],
  query: Type.Object({
    merchantId: Type.Optional(uuid()),
    actorId: Type.Optional(uuid('Of a person or a secret.')),
    merchant: Type.Optional(
      Type.String({
        pattern: '\\S',
        maxLength: limits.searchLength,
        errorMessage: `must have 1 to ${limits.searchLength} characters`,
        description: 'Part of the business name, or the merchant id.',
      }),
    ),
    only: Type.Optional(
      Type.Enum(['CHANGES'], { description: 'Without the calls that only read.' }),
    ),
    page: pageNumber,
    size: pageSize(limits.operatorPageSize),
  }),
  reply: Type.Object({
    page: Type.Integer(),
    size: Type.Integer(),
    data: Type.Array(
      Type.Object({
        recordId: uuid(),
        position: Type.Integer({ description: 'In the chain, from 1.' }),
        startedAt: timestamp(),
        endedAt: nullable(timestamp('Null: it runs, or its program ended before it.')),
        channel: Type.Enum(['API', 'COMMAND', 'DASHBOARD']),
        actorKind: Type.Enum(['OPERATOR', 'MEMBER', 'PERSON', 'SECRET']),
        actorId: nullable(uuid('Null: a user of the operating system.')),
        actor: Type.String({ description: 'The name of a secret, or of a person.' }),
        address: Type.String({ description: 'From where: an address, a network or a host.' }),
        action: Type.String({ description: 'The operation or the command.' }),
        merchantId: nullable(uuid()),
        businessName: nullable(Type.String()),
        environment: nullable(Type.String()),
        detail: Type.Record(Type.String(), Type.Unknown()),
        outcome: nullable(Type.String({ description: 'DONE, or the name of the failure.' })),
        hash: Type.String({
          description: 'SHA-256 of the record and of the hash before it, in hex.',
        }),
      }),
    ),
  }),
});
