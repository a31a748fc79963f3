import Type from 'typebox';
import { nullable } from '../fields.ts';
import { operation } from '../operation.ts';
import { tenantParams } from './merchants.ts';

const fields = {
  settlementPeriod: Type.Enum(['DAILY', 'WEEKLY', 'MONTHLY'], {
    description: 'DAILY is the same day. Refunds need it.',
  }),
  cutOff: Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    errorMessage: 'must be a time of day as in 17:00',
    description: 'When a period ends, in London.',
  }),
  feeFixed: Type.Number({
    minimum: 0,
    maximum: 1000,
    description: 'Pounds for each payment by bank, at most two decimals. 0: none.',
  }),
  feeBasisPoints: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Hundredths of a percent of what was paid, tip included.',
  }),
};

export const getPayoutSettings = operation({
  id: 'getPayoutSettings',
  route: 'GET /api/operator/merchants/:merchantId/:environment/payout-settings',
  access: 'operator',
  summary: 'Show when payouts of a merchant are closed, and the fees in them.',
  rules: ['OPERATE-2', 'PAYOUT-2', 'PAYOUT-5'],
  params: tenantParams,
  reply: Type.Object(fields),
  failsWith: ['notFound'],
});

/** Payouts that are open already keep their end; fees are charged by the rule of that moment. */
export const setPayoutSettings = operation({
  id: 'setPayoutSettings',
  route: 'PUT /api/operator/merchants/:merchantId/:environment/payout-settings',
  access: 'operator',
  summary: 'Set when payouts of a merchant are closed, and the fees in them.',
  rules: ['OPERATE-2', 'PAYOUT-2', 'PAYOUT-5'],
  params: tenantParams,
  body: Type.Partial(Type.Object(fields)),
  bodyOptional: true,
  reply: Type.Object(fields),
  failsWith: ['notFound'],
});

/** By the ledger: a debit is positive, so what is owed to the merchant is negative. */
export const listAccountBalances = operation({
  id: 'listAccountBalances',
  route: 'GET /api/operator/merchants/:merchantId/:environment/balances',
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
  failsWith: ['notFound'],
});
