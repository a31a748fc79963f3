import Type from 'typebox';
import { day, goesOn, nullable, sortedAndTotalled, timestamp, totalled, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { disputeAnswerStatuses } from './dispute-answers.ts';

export const disputeStatuses = ['OPEN', 'WON', 'LOST'] as const;

/** What a card holder contests of a payment, as its card processor reports it (CARD-15). */
export const dispute = Type.Object({
  reference: Type.String({ description: 'Its id at the card processor.' }),
  status: Type.Enum([...disputeStatuses]),
  amount: Type.Number({ description: 'Pounds that were taken: 0 while the bank only asks.' }),
  reason: Type.String({ description: 'What the card holder says, in plain words.' }),
  reasonCode: Type.String({ description: 'The same as the processor names it.' }),
  openedAt: nullable(
    timestamp('When it was reported. Null: another one of the payment has the same reason.'),
  ),
  respondBy: nullable(
    timestamp('Until when the processor takes evidence. Null: it names no time, or it is decided.'),
  ),
  answer: Type.Enum([...disputeAnswerStatuses], {
    description: 'What became of the answer to it: DRAFT also before anything is written.',
  }),
});

/** By payment, the last paid first; sorted by amount, by what is disputed. */
export const listDisputes = operation({
  id: 'listDisputes',
  route: 'GET /disputes',
  access: 'member',
  summary: 'List the card payments that are or were disputed.',
  rules: ['CARD-15', 'DASHBOARD-43'],
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        maxLength: limits.searchLength,
        description: 'Part of the order or of the name of the payer, or the id of the dispute.',
      }),
    ),
    status: Type.Optional(
      Type.Enum([...disputeStatuses], { description: 'With a dispute in this state.' }),
    ),
    respondBy: Type.Optional(day('open, and to be answered on it or earlier.')),
    storeId: Type.Optional(uuid('Of payments of this store.')),
    ...sortedAndTotalled,
    ...goesOn('keyAndId'),
  }),
  reply: totalled({
    paymentRequestId: uuid(),
    orderId: Type.String(),
    payer: nullable(Type.String()),
    storeName: nullable(Type.String()),
    paidAmount: Type.Number({ description: 'Pounds, tip included.' }),
    amount: Type.Number({ description: 'Pounds of all of its disputes.' }),
    createdAt: timestamp('When the payer set out to pay.'),
    openedAt: nullable(timestamp('When the newest of its disputes was reported.')),
    disputes: Type.Array(dispute),
  }),
});
