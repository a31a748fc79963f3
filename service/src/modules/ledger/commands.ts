import { type OperatorCommands, requireTenant } from '#platform/command.ts';
import { listAccountBalances } from './operator-routes.ts';
import { verifyBooks } from './verify-books.ts';

export const operatorCommands: OperatorCommands = {
  use: `
  verify-books                 verify that the books balance
  balances <merchantId> <sandbox|production>
                               of the ledger, by the bank accounts of its stores`,
  run: {
    'verify-books': async (tools) => {
      const result = await verifyBooks(tools);
      if (!result.isBalanced) throw new Error(JSON.stringify(result, null, 2));
      return JSON.stringify(result, null, 2);
    },
    balances: async (tools, [merchantId = '', environment = '']) => {
      const { data } = await listAccountBalances(tools, requireTenant(merchantId, environment));
      return data
        .flatMap(({ sortCode, accountNumber, balances }) =>
          balances.map(({ account, balance }) =>
            [sortCode ?? '-', accountNumber ?? '-', account, balance].join('  '),
          ),
        )
        .join('\n');
    },
  },
};
