import {
  searchTransactions as describedSearch,
  getPaymentStatus as describedStatus,
} from '@florin/contract';
import { openRoute, type Route, route } from '#platform/http/route.ts';
import { getPaymentStatus, type StatusTools } from './get-payment-status.ts';
import { searchTransactions } from './search-transactions.ts';

export const merchantRoutes = (tools: StatusTools): readonly Route[] => [
  openRoute(describedStatus, ({ params, query }, caller) =>
    getPaymentStatus(tools, caller, { paymentRequestId: params.id, env: query.env }),
  ),
  route(describedSearch, ({ query, body }, { tenant }) =>
    searchTransactions(tools, tenant, query, body),
  ),
];
