import { getPaymentStatus as described } from '@florin/contract';
import { openRoute, type Route } from '#platform/http/route.ts';
import { getPaymentStatus, type ReadingTools } from './get-payment-status.ts';

export const merchantRoutes = (tools: ReadingTools): readonly Route[] => [
  openRoute(described, ({ params, query }, caller) =>
    getPaymentStatus(tools, caller, { paymentRequestId: params.id, env: query.env }),
  ),
];
