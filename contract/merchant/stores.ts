import Type from 'typebox';
import { pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

export const storeFields = Type.Object({
  id: uuid(),
  locationName: Type.String({ description: 'DEFAULT is the store made with the account.' }),
  addressLine1: Type.String({ description: 'Empty where unknown, like the other address fields.' }),
  addressLine2: Type.String(),
  addressPostalCode: Type.String(),
  cityOrTown: Type.String(),
  primary: Type.Boolean({ description: 'Takes payments that name no store.' }),
  enabled: Type.Boolean(),
  images: Type.Array(Type.String()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

/** The stores of the secret's environment, the newest first. */
export const listStores = operation({
  id: 'listStores',
  route: 'GET /api/payments/stores',
  access: 'secret',
  summary: 'List the stores of the merchant.',
  rules: ['WIRE-18'],
  query: Type.Object({ page: pageNumber, size: pageSize(limits.storesPageSize) }),
  reply: Type.Object({
    page: Type.String({ description: 'The page that was asked for, from 0: text here alone.' }),
    size: Type.Integer({ description: 'Stores per page.' }),
    data: Type.Array(storeFields),
    totalCount: Type.Integer({ description: 'Stores on all pages.' }),
  }),
});
