import Type from 'typebox';
import { continued, digits, nullable, pageSize, timestamp, uuid } from '../fields.ts';
import { operation } from '../operation.ts';

export const requestResults = ['OK', 'REFUSED', 'BROKEN'] as const;

/**
 * The newest first. Bodies are not stored: they may hold what belongs to payers. A page reads at most
 * 10,000 requests for its filters, so it may be short, and still have a next one.
 */
export const listRequests = operation({
  id: 'listRequests',
  route: 'GET /requests',
  access: 'member',
  summary: 'List what programs called with an access secret.',
  rules: ['DASHBOARD-46'],
  query: Type.Object({
    result: Type.Optional(
      Type.Enum([...requestResults], { description: 'Status below 400, 4xx, or 5xx.' }),
    ),
    operation: Type.Optional(Type.String({ maxLength: 60 })),
    requestId: Type.Optional(Type.String({ maxLength: 100 })),
    secretId: Type.Optional(uuid()),
    before: Type.Optional(digits),
    limit: pageSize(20),
  }),
  reply: continued({
    requestId: Type.String({ description: 'As in x-request-id.' }),
    at: timestamp('Real time.'),
    method: Type.String(),
    operation: Type.String(),
    path: Type.String({ description: 'With names in place of ids.' }),
    status: Type.Integer(),
    failure: nullable(Type.String({ description: 'The name of the error.' })),
    ms: Type.Number(),
    addressPrefix: Type.String({ description: 'Such as 203.0.113.0/24.' }),
    secretId: uuid(),
    secretName: nullable(Type.String()),
  }),
});
