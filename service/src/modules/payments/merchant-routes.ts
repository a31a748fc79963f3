import {
  cancelPaymentRequest as cancelOperation,
  requestPayment as requestOperation,
} from '@florin/contract';
import { type Route, route, routeKeepingIdempotency } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankRails } from './bank-rails.ts';
import { cancelPaymentRequest } from './cancel-payment-request.ts';
import { findOwnPayment } from './find-own-payment.ts';
import { requestPayment } from './request-payment.ts';

export const merchantRoutes = (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'> & {
    readonly bankRails: BankRails;
    readonly publicUrl: string;
  },
): readonly Route[] => [
  routeKeepingIdempotency(requestOperation, (call, caller) =>
    requestPayment(tools, caller, call.body, call.idempotencyKey),
  ),
  route(cancelOperation, async ({ params }, caller) => {
    await findOwnPayment(tools, caller.tenant, params.paymentRequestId);
    await cancelPaymentRequest(tools, caller.tenant, params.paymentRequestId);
    return {
      success: true,
      paymentRequestId: params.paymentRequestId,
      status: 'CANCELLED' as const,
    };
  }),
];
