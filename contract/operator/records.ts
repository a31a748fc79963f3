import Type from 'typebox';
import { nullable, timestamp, uuid } from '../fields.ts';
import { operation } from '../operation.ts';
import { tenantParams } from './merchants.ts';

const change = {
  fromStatus: nullable(Type.String({ description: 'Null: it began.' })),
  toStatus: Type.String(),
  trigger: Type.String({ description: 'What happened, in the words of the lifecycle table.' }),
  detail: nullable(Type.String()),
  occurredAt: timestamp(),
};

/** Each consent and each change, oldest first; no name and no account of the payer. */
export const getPaymentRecord = operation({
  id: 'getPaymentRecord',
  route: 'GET /api/operator/merchants/:merchantId/:environment/payments/:paymentRequestId',
  access: 'operator',
  summary: 'Show the consents and the history of a payment.',
  rules: ['OPERATE-8'],
  params: Type.Object({ ...tenantParams.properties, paymentRequestId: uuid() }),
  reply: Type.Object({
    paymentRequestId: uuid(),
    status: Type.String(),
    amount: Type.String({ description: 'Pounds.' }),
    createdAt: timestamp(),
    attempts: Type.Array(
      Type.Object({
        attemptId: uuid(),
        paymentIdempotencyId: Type.String(),
        method: Type.Enum(['PAY_BY_BANK', 'CARD']),
        status: Type.String(),
        institutionId: Type.String(),
        consentId: nullable(
          Type.String({ description: 'The id of the consent at the bank, or at the processor.' }),
        ),
        interactionId: nullable(Type.String({ description: 'For questions to the bank.' })),
        amount: Type.String({ description: 'Pounds, without the tip.' }),
        tipAmount: Type.String(),
        isoStatus: nullable(Type.String()),
        errorCode: nullable(Type.String()),
        errorDescription: nullable(Type.String()),
        startedAt: timestamp('When the payer agreed to it.'),
        submittedAt: nullable(timestamp()),
      }),
    ),
    history: Type.Array(
      Type.Object({ subject: Type.Enum(['REQUEST', 'ATTEMPT']), subjectId: uuid(), ...change }),
    ),
  }),
  failsWith: ['notFound'],
});

export const getBankLinkRecord = operation({
  id: 'getBankLinkRecord',
  route: 'GET /api/operator/merchants/:merchantId/:environment/bank-links/:accountAuthId',
  access: 'operator',
  summary: 'Show the consent and the history of a link to bank accounts.',
  rules: ['OPERATE-8'],
  params: Type.Object({ ...tenantParams.properties, accountAuthId: uuid() }),
  reply: Type.Object({
    accountAuthId: uuid(),
    status: Type.String(),
    institutionId: nullable(Type.String()),
    consentId: nullable(Type.String({ description: 'The id of the consent at the bank.' })),
    createdAt: timestamp(),
    linkedAt: nullable(timestamp()),
    reconfirmBy: nullable(timestamp('Nothing is read after it until the customer confirms.')),
    endedAt: nullable(timestamp()),
    endedReason: nullable(Type.String()),
    history: Type.Array(Type.Object(change)),
  }),
  failsWith: ['notFound'],
});
