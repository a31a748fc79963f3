import Type from 'typebox';
import { nullable, oneLine, paged, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { bankAccountFields } from '../operator/merchants.ts';

const line = Type.String({ maxLength: limits.addressLength });
const locationName = Type.String({ ...oneLine, maxLength: limits.addressLength });

const address = {
  addressLine1: line,
  addressLine2: line,
  postalCode: line,
  city: line,
};

const store = Type.Object({
  storeId: uuid(),
  locationName: Type.String({ description: 'DEFAULT is the store made with the account.' }),
  ...address,
  isPrimary: Type.Boolean({ description: 'Takes payments that name no store.' }),
  isEnabled: Type.Boolean({ description: 'False: archived. It takes no new requests.' }),
  bankAccount: Type.Object(
    {
      name: Type.String(),
      sortCode: Type.String({ description: 'Its last two digits.' }),
      accountNumber: Type.String({ description: 'Its last four digits.' }),
      changedAt: nullable(timestamp('Null: never changed.')),
      changedBy: nullable(Type.String()),
    },
    { description: 'Where its money goes. Digits before the last ones are bullets.' },
  ),
  createdAt: timestamp(),
});

/** The newest first, archived ones too. */
export const listOwnStores = operation({
  id: 'listOwnStores',
  route: 'GET /stores',
  access: 'member',
  summary: 'List the stores with where their money goes.',
  rules: ['DASHBOARD-49'],
  query: Type.Object({ page: pageNumber, size: pageSize(limits.storesPageSize) }),
  reply: paged(store),
});

/** It is paid to the bank account of the primary store until it gets one of its own. */
export const createStore = operation({
  id: 'createStore',
  route: 'POST /stores',
  access: 'member',
  summary: 'Create a store that is paid to the account of the primary one.',
  rules: ['DASHBOARD-49'],
  idempotent: true,
  body: Type.Object({ locationName, ...Type.Partial(Type.Object(address)).properties }),
  reply: Type.Object({ storeId: uuid() }),
  failsWith: ['conflict'],
});

/** What is left out stays. */
export const changeStore = operation({
  id: 'changeStore',
  route: 'PUT /stores/:storeId',
  access: 'member',
  summary: 'Change name and address of a store, archive it or take it back into use.',
  rules: ['DASHBOARD-49'],
  params: Type.Object({ storeId: uuid() }),
  body: Type.Partial(Type.Object({ locationName, ...address, isEnabled: Type.Boolean() })),
  reply: Type.Object({ storeId: uuid() }),
  failsWith: ['conflict'],
});

/** Money that a payout has taken up already goes where it was to go. */
export const setStoreAccount = operation({
  id: 'setStoreAccount',
  route: 'PUT /stores/:storeId/bank-account',
  access: 'member',
  summary: 'Change the bank account to which the money of a store goes.',
  rules: ['DASHBOARD-49', 'PAYOUT-2'],
  params: Type.Object({ storeId: uuid() }),
  body: bankAccountFields,
  reply: Type.Object({
    storeId: uuid(),
    isChanged: Type.Boolean({ description: 'False: it was this account already.' }),
  }),
  failsWith: ['merchantSuspended'],
});
