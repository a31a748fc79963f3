import type { listAccountBalances as operation, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsText } from '#kernel/pence.ts';
import { requireMerchant } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import { readAccountBalances } from './store/account-balances.ts';

type Balances = ReplyOf<typeof operation>;

/** Of each bank account of a merchant's stores; 404 for an unknown merchant. */
export const listAccountBalances = async (
  tools: Uses<'database'>,
  tenant: Tenant,
): Promise<Balances> => {
  await requireMerchant(tools, tenant);
  const rows = await tools.database.tenant(tenant.merchantId, readAccountBalances, tenant);
  const data: Balances['data'] = [];
  for (const row of rows) {
    const { sort_code: sortCode, account_number: accountNumber } = row;
    const balance = { account: row.account, balance: poundsText(pence(row.balance_pence)) };
    const last = data.at(-1);
    if (last?.sortCode === sortCode && last.accountNumber === accountNumber)
      last.balances.push(balance);
    else data.push({ sortCode, accountNumber, balances: [balance] });
  }
  return { data };
};
