import Type from 'typebox';
import { nullable, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

export const referenceKinds = ['PAYMENT', 'REFUND', 'DISPUTE', 'PAYOUT'] as const;

/** What names one thing: where a text finds many, the lists search. */
export const findReference = operation({
  id: 'findReference',
  route: 'GET /references',
  access: 'member',
  summary: 'Find what a whole reference or id names.',
  rules: ['DASHBOARD-51'],
  query: Type.Object({
    reference: Type.String({
      minLength: 1,
      maxLength: limits.searchLength,
      description:
        'An id of a payment, refund or payout; the reference of a try to pay, a refund or a payout (it ' +
        'stands on statements as the end-to-end id); the id that a bank or card processor gave a payment, ' +
        'or a dispute.',
    }),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        kind: Type.Enum([...referenceKinds]),
        paymentRequestId: nullable(uuid()),
        orderId: nullable(Type.String({ description: 'Of the payment. Null: it is a payout.' })),
        payoutId: nullable(uuid()),
      }),
      { maxItems: limits.referencesFound },
    ),
  }),
});
