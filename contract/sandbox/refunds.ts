import Type from 'typebox';
import { uuid } from '../fields.ts';
import { operation } from '../operation.ts';
import { refundAccountBody, refundAccountReply } from '../operator/refunds.ts';

/** In production the operator enters it, after the customer was asked. */
export const enterSandboxRefundAccount = operation({
  id: 'enterSandboxRefundAccount',
  route: 'PUT /api/sandbox/refunds/:refundId/account',
  access: 'sandboxSecret',
  summary: 'Enter the account that a refund of the sandbox goes to.',
  rules: ['REFUND-4', 'REFUND-10'],
  idempotent: true,
  params: Type.Object({ refundId: uuid() }),
  body: refundAccountBody,
  reply: refundAccountReply,
  failsWith: ['environmentMismatch', 'notFound', 'invalidState'],
});
