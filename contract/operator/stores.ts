import Type from 'typebox';
import { oneLine, pageNumber, pageSize, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { storeFields } from '../merchant/stores.ts';
import { operation } from '../operation.ts';
import { bankAccountFields, tenantParams } from './merchants.ts';

const line = Type.Optional(Type.String({ maxLength: limits.addressLength }));

/** The bank account is paid while payouts are off, and receives payouts while they are on. */
export const createMerchantStore = operation({
  id: 'createMerchantStore',
  method: 'POST',
  path: '/api/operator/merchants/:merchantId/:environment/stores',
  access: 'operator',
  summary: 'Create a store with its bank account.',
  rules: ['OPERATE-2'],
  params: tenantParams,
  body: Type.Object({
    locationName: Type.String({ ...oneLine, maxLength: limits.addressLength }),
    addressLine1: line,
    addressLine2: line,
    postalCode: line,
    city: line,
    bankAccount: bankAccountFields,
  }),
  reply: Type.Object({ storeId: uuid() }),
  failsWith: ['badRequest', 'notFound'],
});

export const listMerchantStores = operation({
  id: 'listMerchantStores',
  method: 'GET',
  path: '/api/operator/merchants/:merchantId/:environment/stores',
  access: 'operator',
  summary: 'List the stores of a merchant.',
  rules: ['OPERATE-2'],
  params: tenantParams,
  query: Type.Object({ page: pageNumber, size: pageSize(limits.operatorPageSize) }),
  reply: Type.Object({
    page: Type.Integer(),
    size: Type.Integer(),
    data: Type.Array(storeFields),
    totalCount: Type.Integer(),
  }),
  failsWith: ['badRequest', 'notFound'],
});
