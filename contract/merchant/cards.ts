import Type from 'typebox';
import { nullable, uuid } from '../fields.ts';
import { operation } from '../operation.ts';

/** CARD-12. What the card's bank or scheme does not disclose is null. */
export const savedCardReply = Type.Object({
  id: uuid('The `paymentMethodId` of a charge.'),
  name: nullable(Type.String({ description: 'The cardholder.' })),
  type: nullable(Type.String({ description: 'credit, debit or prepaid.' })),
  lastFourDigits: Type.String(),
  category: nullable(Type.String({ description: 'consumer or commercial.' })),
  cardType: nullable(Type.String({ description: 'CREDIT, DEBIT or PREPAID.' })),
  brand: nullable(Type.String({ description: 'VISA, MASTERCARD, AMEX …' })),
  country: nullable(Type.String({ description: 'Where it was issued, for example GB.' })),
  recurrenceType: Type.Enum(['unscheduled', 'recurring', 'installment'], {
    description: 'What the cardholder agreed to; unscheduled by default.',
  }),
  expiryDate: Type.String({ description: 'MM/YYYY. An expired card stays in the list.' }),
});

const ofCustomer = Type.Object({ customerId: uuid() });
const ofCard = Type.Object({ customerId: uuid(), cardId: uuid() });

/** The newest first; empty when there are none. Works also while card payments are switched off. */
export const listCustomerCards = operation({
  id: 'listCustomerCards',
  route: 'GET /api/customers/:customerId/cards',
  access: 'secret',
  summary: 'List the saved cards of a customer.',
  rules: ['CARD-12'],
  params: ofCustomer,
  reply: Type.Array(savedCardReply),
  failsWith: ['environmentMismatch', 'notFound'],
});

export const getCustomerCard = operation({
  id: 'getCustomerCard',
  route: 'GET /api/customers/:customerId/cards/:cardId',
  access: 'secret',
  summary: 'Read a saved card.',
  rules: ['CARD-12'],
  params: ofCard,
  reply: savedCardReply,
  failsWith: ['environmentMismatch', 'notFound'],
});

/**
 * The card is no longer listed and cannot be charged; it is detached at the card processor.
 * Payments keep its details.
 */
export const deleteCustomerCard = operation({
  id: 'deleteCustomerCard',
  route: 'DELETE /api/customers/:customerId/cards/:cardId',
  access: 'secret',
  summary: 'Delete a saved card.',
  rules: ['CARD-12'],
  idempotent: true,
  params: ofCard,
  reply: Type.Object({ id: uuid() }),
  failsWith: ['environmentMismatch', 'notFound'],
});
