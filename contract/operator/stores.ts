import Type from 'typebox';
import { oneLine, paged, pageNumber, pageSize, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { storeFields } from '../merchant/stores.ts';
import { operation } from '../operation.ts';
import { bankAccountFields, tenantParams } from './merchants.ts';

const line = Type.Optional(Type.String({ maxLength: limits.addressLength }));

/** The bank account is paid while payouts are off, and receives payouts while they are on. */
export const createMerchantStore = operation({
  id: 'createMerchantStore',
  route: 'POST /api/operator/merchants/:merchantId/:environment/stores',
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
  failsWith: ['notFound'],
});

export const listMerchantStores = operation({
  id: 'listMerchantStores',
  route: 'GET /api/operator/merchants/:merchantId/:environment/stores',
  access: 'operator',
  summary: 'List the stores of a merchant.',
  rules: ['OPERATE-2'],
  params: tenantParams,
  query: Type.Object({ page: pageNumber, size: pageSize(limits.operatorPageSize) }),
  reply: paged(storeFields),
  failsWith: ['notFound'],
});
