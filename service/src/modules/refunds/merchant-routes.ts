import {
  cancelRefund as cancelOperation,
  listRefunds as listOperation,
  requestRefund as requestOperation,
} from '@florin/contract';
import { type Route, route, routeHandlingIdempotency } from '#platform/http/route.ts';
import { cancelRefund } from './requests/cancel-refund.ts';
import { listRefunds } from './requests/list-refunds.ts';
import { type RequestTools, requestRefund } from './requests/request-refund.ts';

export const merchantRoutes = (tools: RequestTools): readonly Route[] => [
  routeHandlingIdempotency(requestOperation, ({ body, idempotencyKey }, caller) =>
    requestRefund(tools, caller, body, idempotencyKey),
  ),
  route(listOperation, ({ params }, { tenant }) =>
    listRefunds(tools, tenant, params.paymentRequestId),
  ),
  route(cancelOperation, ({ params, decideOnce }, { tenant }) =>
    cancelRefund(tools, tenant, params.refundId, decideOnce),
  ),
];
