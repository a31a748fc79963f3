import {
  getSdkPaymentStatus,
  getSdkTransaction,
  getTransaction,
  getTransactionV2,
} from '@florin/contract';
import { openRoute, type Route } from '#platform/http/route.ts';
import { getFlatRequest, getFlatTransaction, getSdkStatus } from './get-flat-transaction.ts';
import type { StatusTools } from './get-payment-status.ts';

/** What existing pages, apps and shops of merchants poll. */
export const sdkRoutes = (tools: StatusTools): readonly Route[] => [
  openRoute(getTransaction, ({ params, query }) =>
    query.type === 'request'
      ? getFlatRequest(tools, params.id)
      : getFlatTransaction(tools, params.id),
  ),
  openRoute(getTransactionV2, ({ params }) =>
    getFlatTransaction(tools, params.paymentIdempotencyId),
  ),
  openRoute(getSdkTransaction, ({ params }) =>
    getFlatTransaction(tools, params.paymentIdempotencyId),
  ),
  openRoute(getSdkPaymentStatus, ({ params }) => getSdkStatus(tools, params.paymentRequestId)),
];
