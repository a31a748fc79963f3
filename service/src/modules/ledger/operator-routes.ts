import { listAccountBalances as balancesOperation, verifyLedger } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listAccountBalances } from './list-account-balances.ts';
import { verifyBooks } from './verify-books.ts';

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
  operatorRoute(balancesOperation, ({ params: { merchantId, environment } }) =>
    listAccountBalances(tools, {
      merchantId,
      environment: environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION',
    }),
  ),
];
