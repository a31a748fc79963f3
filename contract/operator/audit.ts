import Type from 'typebox';
import { nullable, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

/** The newest first. This call is a record too. */
export const listAuditRecords = operation({
  id: 'listAuditRecords',
  method: 'GET',
  path: '/api/operator/audit-records',
  access: 'operator',
  summary: 'List what operators did, by API and by command.',
  rules: ['OPERATE-3'],
  query: Type.Object({
    merchantId: Type.Optional(uuid()),
    page: pageNumber,
    size: pageSize(limits.operatorPageSize),
  }),
  reply: Type.Object({
    page: Type.Integer(),
    size: Type.Integer(),
    data: Type.Array(
      Type.Object({
        recordId: uuid(),
        startedAt: timestamp(),
        endedAt: nullable(timestamp('Null: it runs, or its program ended before it.')),
        channel: Type.Enum(['API', 'COMMAND', 'DASHBOARD']),
        actor: Type.String({ description: 'The name of the operator secret, or a person.' }),
        address: Type.String({ description: 'Whence: an address of the network, or a host.' }),
        action: Type.String({ description: 'The operation or the command.' }),
        merchantId: nullable(uuid()),
        environment: nullable(Type.String()),
        detail: Type.Record(Type.String(), Type.Unknown()),
        outcome: nullable(Type.String({ description: 'DONE, or the name of the failure.' })),
      }),
    ),
  }),
  failsWith: ['badRequest'],
});
