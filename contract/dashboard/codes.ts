import Type from 'typebox';
import { nullable, oneLine, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const statuses = ['ACTIVE', 'DISABLED'] as const;

const code = Type.Object({
  codeId: uuid(),
  label: Type.String({ description: 'Such as the table, as the payer reads it.' }),
  storeId: uuid(),
  storeName: Type.String(),
  amount: nullable(Type.Number({ description: 'Pounds; null: the payer enters the amount.' })),
  minAmount: nullable(Type.Number()),
  maxAmount: nullable(Type.Number()),
  status: Type.Enum([...statuses]),
  madeBy: nullable(Type.String()),
  createdAt: timestamp('Real time.'),
  codeUrl: Type.String({ description: 'What the code holds.' }),
  qrCodeUrl: Type.String({ description: 'The code, SVG.' }),
});

/** Printed on a table or a counter. Each scan begins a payment of its own. */
export const createPaymentCode = operation({
  id: 'createPaymentCode',
  route: 'POST /codes',
  access: 'member',
  summary: 'Make a code to print, of a store and a table, with a fixed or an open amount.',
  rules: ['CODE-1'],
  idempotent: true,
  body: Type.Object({
    label: Type.String({
      minLength: 1,
      maxLength: limits.notesLength,
      ...oneLine,
    }),
    storeId: Type.Optional(uuid('Store; the primary store when omitted.')),
    amount: Type.Optional(Type.Number({ description: 'Pounds; omitted: the payer enters it.' })),
    minAmount: Type.Optional(Type.Number({ description: 'Of an open amount; default 1.00.' })),
    maxAmount: Type.Optional(
      Type.Number({ description: 'Of an open amount; default the limit of the merchant.' }),
    ),
  }),
  reply: code,
  failsWith: ['invalidState'],
});

export const listPaymentCodes = operation({
  id: 'listPaymentCodes',
  route: 'GET /codes',
  access: 'member',
  summary: 'List the printed codes.',
  rules: ['CODE-1'],
  query: Type.Object({
    status: Type.Optional(Type.Enum([...statuses])),
    orderBy: Type.Optional(
      Type.Enum(['NEWEST', 'OLDEST', 'LABEL'], { description: 'NEWEST when omitted.' }),
    ),
    page: Type.Integer({ minimum: 0, maximum: limits.pageNumberMax, default: 0 }),
    size: Type.Integer({ minimum: 1, maximum: limits.pageSizeMax, default: 20 }),
  }),
  reply: Type.Object({ data: Type.Array(code), totalCount: Type.Integer() }),
});

export const setPaymentCodeStatus = operation({
  id: 'setPaymentCodeStatus',
  route: 'PUT /codes/:codeId/status',
  access: 'member',
  summary: 'Disable a printed code, or enable it again.',
  rules: ['CODE-1'],
  params: Type.Object({ codeId: uuid() }),
  body: Type.Object({ status: Type.Enum([...statuses]) }),
  reply: code,
});
