import Type from 'typebox';
import { nullable, timestamp } from '../fields.ts';
import { operation } from '../operation.ts';

/** Of the process that answers; `/metrics` of each has its own numbers. */
export const listBankHealth = operation({
  id: 'listBankHealth',
  method: 'GET',
  path: '/api/operator/banks/:environment',
  access: 'operator',
  summary: 'Show how calls to each bank went in the last two minutes.',
  rules: ['OPERATE-7'],
  params: Type.Object({ environment: Type.Enum(['sandbox', 'production']) }),
  reply: Type.Array(
    Type.Object({
      institutionId: Type.String(),
      name: Type.String(),
      enabled: Type.Boolean({ description: 'As its settings say.' }),
      state: Type.Enum(['WORKING', 'SLOW', 'UNAVAILABLE']),
      calls: Type.Integer(),
      failedCalls: Type.Integer({
        description: 'Without an answer, or with a status of 500 and above.',
      }),
      successPercent: nullable(Type.Number({ description: 'Null: there was no call.' })),
      averageMs: nullable(Type.Integer({ description: 'Of the calls that were answered.' })),
      lastFailureAt: nullable(timestamp()),
      retryAt: nullable(timestamp('UNAVAILABLE: when the next payer may choose it.')),
    }),
  ),
  failsWith: ['badRequest', 'railNotConfigured'],
});
