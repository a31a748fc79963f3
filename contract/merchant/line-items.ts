import Type from 'typebox';
import { nullable, oneLine } from '../fields.ts';
import { limits } from '../limits.ts';

/** REQUEST-16: what a payer reads of what is paid for. */
export const lineItems = Type.Array(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: limits.lineItemNameLength, ...oneLine }),
    quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.lineItemQuantityMax,
        description: 'Default 1.',
      }),
    ),
    amount: Type.Number({
      description: 'Pounds of the whole line, at most two decimals; below zero for a discount.',
    }),
  }),
  {
    minItems: 1,
    maxItems: limits.lineItems,
    description: 'What is paid for, as the payer reads it. The amounts add up to amount.',
  },
);

export const payerNote = Type.String({
  maxLength: limits.payerNoteLength,
  emptyMeansAbsent: true,
  description: 'A message to the payer, shown on the page and on the receipt. Empty: none.',
});

export const shownLineItems = nullable(
  Type.Array(
    Type.Object({
      name: Type.String(),
      quantity: Type.Integer(),
      amount: Type.Number({ description: 'Pounds of the whole line.' }),
    }),
  ),
);
