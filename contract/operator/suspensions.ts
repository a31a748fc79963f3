import Type from 'typebox';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { amountPartFields, switchFields, tipFields } from '../sandbox/merchants.ts';
import { suspensionFields, tenantParams } from './merchants.ts';

const reply = Type.Object({
  suspensions: Type.Array(Type.Object(suspensionFields), {
    description: 'Of this environment, the newest first; without resumedAt it is in force.',
  }),
});

/** Repeated, it answers the same: the first reason stands until the merchant is resumed. */
export const suspendMerchant = operation({
  id: 'suspendMerchant',
  route: 'PUT /api/operator/merchants/:merchantId/:environment/suspension',
  access: 'operator',
  summary: 'Suspend a merchant: nothing new starts, what is under way goes on.',
  rules: ['OPERATE-2', 'ACCESS-12'],
  params: tenantParams,
  body: Type.Object({
    reason: Type.String({
      pattern: '\\S',
      maxLength: limits.suspensionReasonLength,
      description: 'Shown to every member of the business.',
    }),
  }),
  reply,
  failsWith: ['notFound'],
});

/** Repeated, it answers the same. */
export const resumeMerchant = operation({
  id: 'resumeMerchant',
  route: 'DELETE /api/operator/merchants/:merchantId/:environment/suspension',
  access: 'operator',
  summary: 'Resume a suspended merchant.',
  rules: ['OPERATE-2', 'ACCESS-12'],
  params: tenantParams,
  reply,
  failsWith: ['notFound'],
});

/** Changes the switches that are given. */
export const setMerchantSwitches = operation({
  id: 'setMerchantSwitches',
  route: 'PUT /api/operator/merchants/:merchantId/:environment/switches',
  access: 'operator',
  summary: 'Switch cards, refunds and payouts of a merchant on or off.',
  rules: ['OPERATE-2', 'ACCESS-5'],
  params: tenantParams,
  body: Type.Partial(Type.Object(switchFields)),
  reply: Type.Object(switchFields),
  failsWith: ['notFound', 'railNotConfigured'],
});

export const setMerchantTips = operation({
  id: 'setMerchantTips',
  route: 'PUT /api/operator/merchants/:merchantId/:environment/tips',
  access: 'operator',
  summary: 'Choose the tips that payers of a merchant are offered.',
  rules: ['OPERATE-2', 'REQUEST-13'],
  params: tenantParams,
  body: Type.Object(tipFields),
  reply: Type.Object(tipFields),
  failsWith: ['notFound'],
});

export const setMerchantAmountParts = operation({
  id: 'setMerchantAmountParts',
  route: 'PUT /api/operator/merchants/:merchantId/:environment/amount-parts',
  access: 'operator',
  summary: 'Say how much VAT and service the requested amounts of a merchant include.',
  rules: ['OPERATE-2', 'MONEY-3'],
  params: tenantParams,
  body: Type.Object(amountPartFields),
  reply: Type.Object(amountPartFields),
  failsWith: ['notFound'],
});
