import Type from 'typebox';
import { operation } from '../operation.ts';
import { amountPartFields, switchFields, tipFields } from '../sandbox/merchants.ts';
import { tenantParams } from './merchants.ts';

/** Changes the switches that are given. */
export const setMerchantSwitches = operation({
  id: 'setMerchantSwitches',
  method: 'PUT',
  path: '/api/operator/merchants/:merchantId/:environment/switches',
  access: 'operator',
  summary: 'Switch cards, refunds and payouts of a merchant on or off.',
  rules: ['OPERATE-2', 'ACCESS-5'],
  params: tenantParams,
  body: Type.Partial(Type.Object(switchFields)),
  reply: Type.Object(switchFields),
  failsWith: ['badRequest', 'notFound'],
});

export const setMerchantTips = operation({
  id: 'setMerchantTips',
  method: 'PUT',
  path: '/api/operator/merchants/:merchantId/:environment/tips',
  access: 'operator',
  summary: 'Choose the tips that payers of a merchant are offered.',
  rules: ['OPERATE-2', 'REQUEST-13'],
  params: tenantParams,
  body: Type.Object(tipFields),
  reply: Type.Object(tipFields),
  failsWith: ['badRequest', 'notFound'],
});

export const setMerchantAmountParts = operation({
  id: 'setMerchantAmountParts',
  method: 'PUT',
  path: '/api/operator/merchants/:merchantId/:environment/amount-parts',
  access: 'operator',
  summary: 'Say how much VAT and service the requested amounts of a merchant include.',
  rules: ['OPERATE-2', 'MONEY-3'],
  params: tenantParams,
  body: Type.Object(amountPartFields),
  reply: Type.Object(amountPartFields),
  failsWith: ['badRequest', 'notFound'],
});
