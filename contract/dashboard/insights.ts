import Type from 'typebox';
import { uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { periodQuery } from './money.ts';

const isSample = Type.Boolean({
  description: `There were more: of all stores, at most ${limits.insightAttemptsMax} are looked at.`,
});

const insightQuery = Type.Object({
  ...periodQuery,
  storeId: Type.Optional(uuid('Of this store alone.')),
});

const steps = {
  started: Type.Integer({ description: 'Attempts: a bank was chosen, or the card page opened.' }),
  handedOver: Type.Integer({ description: 'The payer was sent to the bank or the card page.' }),
  approved: Type.Integer({ description: 'The payer approved it.' }),
  paid: Type.Integer(),
  failed: Type.Integer(),
};

/** Of attempts that were started in these days. */
export const getFunnel = operation({
  id: 'getFunnel',
  route: 'GET /funnel',
  access: 'member',
  summary: 'Show how far payers come, by bank and method.',
  rules: ['DASHBOARD-42'],
  query: insightQuery,
  reply: Type.Object({
    from: Type.String(),
    to: Type.String(),
    isSample,
    opened: Type.Integer({
      description: 'Payment requests whose hosted page was first opened in these days.',
    }),
    ...steps,
    banks: Type.Array(
      Type.Object({
        institutionId: Type.String(),
        bankName: Type.String(),
        method: Type.Enum(['PAY_BY_BANK', 'CARD']),
        ...steps,
      }),
      { description: 'The bank with the most attempts first.' },
    ),
  }),
});

/** Attempts that failed or were cancelled in these days, by reason, the most frequent first. */
export const listFailures = operation({
  id: 'listFailures',
  route: 'GET /failures',
  access: 'member',
  summary: 'Say why payments failed, and what to do.',
  rules: ['DASHBOARD-42'],
  query: insightQuery,
  reply: Type.Object({
    from: Type.String(),
    to: Type.String(),
    isSample,
    data: Type.Array(
      Type.Object({
        reason: Type.String({ description: 'A code of ours, of the bank or of the processor.' }),
        title: Type.String(),
        advice: Type.String(),
        whoseMove: Type.Enum(['MERCHANT', 'PAYER', 'BANK', 'NONE']),
        method: Type.Enum(['PAY_BY_BANK', 'CARD']),
        count: Type.Integer(),
        amount: Type.Number({ description: 'Pounds that were not paid by these attempts.' }),
        latest: Type.Array(Type.Object({ paymentRequestId: uuid(), orderId: Type.String() }), {
          description: 'At most five payments.',
        }),
      }),
    ),
  }),
});
