import {
  listPayouts as listOperation,
  listPayoutMatches as matchesOperation,
  listPayoutTransactions as transactionsOperation,
} from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listPayoutMatches } from './list-payout-matches.ts';
import { listPayouts, listPayoutTransactions } from './list-payouts.ts';

export const merchantRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(listOperation, ({ query }, { tenant }) => listPayouts(tools, tenant, query)),
  route(matchesOperation, ({ query }, { tenant }) => listPayoutMatches(tools, tenant, query)),
  route(transactionsOperation, ({ params, query }, { tenant }) =>
    listPayoutTransactions(tools, tenant, params.payoutId, query),
  ),
];
