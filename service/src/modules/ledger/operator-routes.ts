import { verifyLedger } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { verifyBooks } from './verify-books.ts';

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(verifyLedger, async () => {
    const { unbalancedTransactions, snapshotDifferences, totals, ...result } =
      await verifyBooks(tools);
    return {
      ...result,
      unbalancedTransactions: [...unbalancedTransactions],
      snapshotDifferences: [...snapshotDifferences],
      totals: [...totals],
    };
  }),
];
