import Type from 'typebox';
import { nullable, paged, pageNumber, pageSize, timestamp } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

/** Of the process that answers; `/metrics` of each has its own numbers. */
export const listBankHealth = operation({
  id: 'listBankHealth',
  route: 'GET /api/operator/banks/:environment',
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
  failsWith: ['railNotConfigured'],
});

const environment = Type.Enum(['SANDBOX', 'PRODUCTION'] as const);

/** Messages of the bank that were put aside, the newest first. */
export const listBankMessages = operation({
  id: 'listBankMessages',
  route: 'GET /api/operator/bank-messages',
  access: 'operator',
  summary: 'List the messages of the bank that were put aside, with why.',
  rules: ['PAYOUT-8'],
  query: Type.Object({
    page: pageNumber,
    size: pageSize(limits.operatorPageSize),
  }),
  reply: paged(
    Type.Object({
      environment,
      reference: Type.String({ description: 'Of the delivery, or the name of the file.' }),
      kind: Type.Enum(['STATUS_REPORT', 'ACCOUNT_REPORT', 'UNREADABLE'] as const),
      messageId: nullable(Type.String()),
      answers: nullable(Type.String({ description: 'The message id of the batch it is about.' })),
      reason: Type.String({ description: 'Why it was put aside.' }),
      text: nullable(Type.String({ description: 'The beginning of one that cannot be read.' })),
      receivedAt: timestamp(),
      isKept: Type.Boolean({ description: 'Its text is stored here: it can be taken again.' }),
      againAt: nullable(timestamp('Since when a worker is to take it again.')),
    }),
  ),
});

/**
 * Once its cause is mended. A worker takes it from what is stored here; what it had changed already, it
 * changes no second time. One that cannot be taken is put aside again, with its new reason. Sent twice
 * it changes nothing more.
 */
export const takeBankMessageAgain = operation({
  id: 'takeBankMessageAgain',
  route: 'POST /api/operator/bank-messages/take-again',
  access: 'operator',
  summary: 'Take a message of the bank that was put aside again.',
  rules: ['PAYOUT-8'],
  body: Type.Object({
    environment,
    reference: Type.String({ minLength: 1, maxLength: limits.bankMessageReferenceLength }),
  }),
  reply: Type.Object({ environment: Type.String(), reference: Type.String() }),
  failsWith: ['notFound', 'conflict'],
});
