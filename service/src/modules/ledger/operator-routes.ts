import {
  listAccountBalances as balancesOperation,
  type listAccountBalances as operation,
  type ReplyOf,
  verifyLedger,
} from '@florin/contract';
import { type Tenant, tenantIn } from '#kernel/environment.ts';
import { pence, poundsText } from '#kernel/pence.ts';
import { requireMerchant } from '#modules/merchants/index.ts';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { readAccountBalances } from './store/ledger-store.ts';
import { verifyBooks } from './verify-books.ts';

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

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(verifyLedger, async () => {
    const {
      unbalancedTransactions,
      snapshotDifferences,
      totals,
      brokenInvariants,
      bankBalances,
      ...result
    } = await verifyBooks(tools);
    return {
      ...result,
      unbalancedTransactions: [...unbalancedTransactions],
      snapshotDifferences: [...snapshotDifferences],
      totals: [...totals],
      bankBalances: [...bankBalances],
      brokenInvariants: brokenInvariants.map(({ rule, subjects }) => ({
        rule,
        subjects: [...subjects],
      })),
    };
  }),
  operatorRoute(balancesOperation, ({ params }) => listAccountBalances(tools, tenantIn(params))),
];
