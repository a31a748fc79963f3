import Type from 'typebox';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { suspensionFields, tenantParams } from './merchants.ts';

const reply = Type.Object({
  suspensions: Type.Array(Type.Object(suspensionFields), {
    description: 'Of this environment, the newest first; without resumedAt it is in force.',
  }),
});

/** Repeated, it answers the same: the first reason stands until the merchant is resumed. */
export const suspendMerchant = operation({
  id: 'suspendMerchant',
  method: 'PUT',
  path: '/api/operator/merchants/:merchantId/:environment/suspension',
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
  failsWith: ['badRequest', 'notFound'],
});

/** Repeated, it answers the same. */
export const resumeMerchant = operation({
  id: 'resumeMerchant',
  method: 'DELETE',
  path: '/api/operator/merchants/:merchantId/:environment/suspension',
  access: 'operator',
  summary: 'Resume a suspended merchant.',
  rules: ['OPERATE-2', 'ACCESS-12'],
  params: tenantParams,
  reply,
  failsWith: ['badRequest', 'notFound'],
});
