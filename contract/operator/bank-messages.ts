import Type from 'typebox';
import { nullable, pageNumber, pageSize, timestamp } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

/** Messages of the bank that were put aside, the newest first. */
export const listBankMessages = operation({
  id: 'listBankMessages',
  method: 'GET',
  path: '/api/operator/bank-messages',
  access: 'operator',
  summary: 'List the messages of the bank that were put aside, with why.',
  rules: ['PAYOUT-8'],
  query: Type.Object({
    page: pageNumber,
    size: pageSize(limits.operatorPageSize),
  }),
  reply: Type.Object({
    page: Type.Integer(),
    size: Type.Integer(),
    data: Type.Array(
      Type.Object({
        environment: Type.String(),
        reference: Type.String({ description: 'Of the delivery, or the name of the file.' }),
        kind: Type.Enum(['STATUS_REPORT', 'ACCOUNT_REPORT', 'UNREADABLE'] as const),
        messageId: nullable(Type.String()),
        answers: nullable(Type.String({ description: 'The message id of the batch it is about.' })),
        reason: Type.String({ description: 'Why it was put aside.' }),
        text: nullable(Type.String({ description: 'The beginning of one that cannot be read.' })),
        receivedAt: timestamp(),
      }),
    ),
    totalCount: Type.Integer(),
  }),
  failsWith: ['badRequest'],
});
