import Type from 'typebox';
import { uuid } from '../fields.ts';
import { operation } from '../operation.ts';
import { bankAccountFields, tenantParams } from './merchants.ts';

export const refundAccountBody = Type.Object({
  account: Type.Object(bankAccountFields.properties, {
    description: 'The account that the customer paid from.',
  }),
});

export const refundAccountReply = Type.Object({
  refundId: uuid(),
  status: Type.String({ description: 'PENDING: it is handed over next.' }),
});

/** Only while the refund waits for it: money that is on its way has its account. */
export const enterRefundAccount = operation({
  id: 'enterRefundAccount',
  route: 'PUT /api/operator/merchants/:merchantId/:environment/refunds/:refundId/account',
  access: 'operator',
  summary: 'Enter the account that a refund goes to, where the bank did not say who had paid.',
  rules: ['REFUND-4', 'REFUND-10'],
  params: Type.Object({ ...tenantParams.properties, refundId: uuid() }),
  body: refundAccountBody,
  reply: refundAccountReply,
  failsWith: ['environmentMismatch', 'notFound', 'invalidState'],
});
