import Type from 'typebox';
import { nullable } from '../fields.ts';
import { operation } from '../operation.ts';
import { tenantParams } from './merchants.ts';

/** By the ledger: a debit is positive, so what is owed to the merchant is negative. */
export const listAccountBalances = operation({
  id: 'listAccountBalances',
  method: 'GET',
  path: '/api/operator/merchants/:merchantId/:environment/balances',
  access: 'operator',
  summary: 'Balances of the ledger by the bank accounts of a merchant.',
  rules: ['MONEY-23'],
  params: tenantParams,
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        sortCode: nullable(Type.String({ description: 'Null: of no store.' })),
        accountNumber: nullable(Type.String()),
        balances: Type.Array(
          Type.Object({
            account: Type.String({ description: 'Of the ledger (LEDGER-1).' }),
            balance: Type.String({ description: 'Pounds, two decimals.' }),
          }),
        ),
      }),
    ),
  }),
  failsWith: ['badRequest', 'notFound'],
});
