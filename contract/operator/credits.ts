import Type from 'typebox';
import { nullable, paged, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { tenantParams } from './merchants.ts';

export const creditStatuses = ['OPEN', 'MATCHED', 'UNMATCHED', 'REVERSED'] as const;

const creditFields = {
  creditId: uuid(),
  environment: Type.String(),
  status: Type.Enum(creditStatuses),
  amount: Type.String({ description: 'Pounds, two decimals.' }),
  currency: Type.String(),
  bankReference: nullable(Type.String()),
  bookedOn: nullable(Type.String()),
  endToEndId: nullable(Type.String()),
  payerName: nullable(Type.String({ description: 'Dropped once it is matched.' })),
  remittance: nullable(Type.String()),
  reason: nullable(Type.String({ description: 'Why no payment explains it.' })),
  merchantId: nullable(uuid()),
  paymentRequestId: nullable(uuid()),
  attemptId: nullable(uuid()),
  matchedBy: nullable(Type.String()),
  matchedAt: nullable(timestamp()),
  receivedAt: timestamp(),
};

/** What arrived on the collecting account, the newest first. */
export const listCredits = operation({
  id: 'listCredits',
  route: 'GET /api/operator/credits',
  access: 'operator',
  summary: 'List the credits of the collecting account.',
  rules: ['PAYOUT-4'],
  query: Type.Object({
    status: Type.Optional(Type.Enum(creditStatuses)),
    page: pageNumber,
    size: pageSize(limits.operatorPageSize),
  }),
  reply: paged(Type.Object(creditFields)),
});

/** Once: the payment is settled, and the case of the credit is resolved with the evidence. */
export const matchCredit = operation({
  id: 'matchCredit',
  route: 'POST /api/operator/credits/:creditId/match',
  access: 'operator',
  summary: 'Say which payment an unmatched credit is for.',
  rules: ['PAYOUT-4', 'OPERATE-4'],
  params: Type.Object({ creditId: uuid() }),
  body: Type.Object({
    ...tenantParams.properties,
    paymentRequestId: uuid(),
    attemptId: uuid(),
    evidence: Type.String({
      pattern: '\\S',
      maxLength: limits.operatorTextLength,
      errorMessage: `must have 1 to ${limits.operatorTextLength} characters`,
      description: 'How you know: a statement, a letter of the bank.',
    }),
  }),
  reply: Type.Object(creditFields),
  failsWith: ['environmentMismatch', 'notFound', 'invalidState', 'conflict'],
});
