import Type from 'typebox';
import { timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const text = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '\\S',
      maxLength: limits.searchLength,
      errorMessage: `must have 1 to ${limits.searchLength} characters`,
      description,
    }),
  );

/** Of all merchants, the newest first. One that no payer has set out to pay is found by its id alone. */
export const findPayments = operation({
  id: 'findPayments',
  route: 'GET /api/operator/payments',
  access: 'operator',
  summary: 'Find payments by order, amount, name, reference or merchant.',
  rules: ['OPERATE-8'],
  query: Type.Object({
    search: text(
      'A whole word of the order id or of the payer’s name, an amount such as 12.50, a payment ' +
        'request id, or a payment’s own reference; where no payment has it, part of a business name.',
    ),
    merchant: text('Part of the business name, or the merchant id.'),
    environment: Type.Optional(Type.Enum(['sandbox', 'production'])),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        merchantId: uuid(),
        businessName: Type.String(),
        environment: Type.Enum(['sandbox', 'production']),
        paymentRequestId: uuid(),
        orderId: Type.String(),
        amount: Type.Number({ description: 'Pounds, tip included.' }),
        status: Type.String({ description: 'Of the attempt; of the request where there is none.' }),
        method: Type.Union([Type.Enum(['PAY_BY_BANK', 'CARD']), Type.Null()]),
        createdAt: timestamp(),
      }),
      { description: `At most ${limits.operatorPageSize}.` },
    ),
    isWhole: Type.Boolean({ description: 'False: there are more; say more of it.' }),
  }),
});
