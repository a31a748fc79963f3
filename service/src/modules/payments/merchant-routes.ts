import {
  cancelCardPayment as cancelCardOperation,
  cancelPaymentRequest as cancelOperation,
  captureCardPayment as captureCardOperation,
  chargeCard as chargeCardOperation,
  requestPayment as requestOperation,
} from '@florin/contract';
import type { CardRails } from '#modules/cards/index.ts';
import { type Route, route, routeKeepingIdempotency } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankRails } from './bank-rails.ts';
import { cancelPaymentRequest } from './cancel-payment-request.ts';
import { cancelCardPayment } from './cards/cancel-card-payment.ts';
import { captureCardPayment } from './cards/capture-card-payment.ts';
import { chargeCard } from './cards/charge-card.ts';
import { closeCardPages } from './cards/close-card-pages.ts';
import type { ChargeSender } from './cards/send-charges.ts';
import { findOwnPayment } from './find-own-payment.ts';
import { requestPayment } from './request-payment.ts';

export const merchantRoutes = (
  tools: Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
    readonly bankRails: BankRails;
    readonly cardRails: CardRails;
    readonly chargeSender: ChargeSender;
    readonly publicUrl: string;
  },
): readonly Route[] => [
  routeKeepingIdempotency(requestOperation, (call, caller) =>
    requestPayment(tools, caller, call.body, call.idempotencyKey),
  ),
  routeKeepingIdempotency(chargeCardOperation, (call, caller) =>
    chargeCard(tools, caller, call.body, call.idempotencyKey),
  ),
  route(captureCardOperation, ({ params, idempotencyKey }, caller) =>
    captureCardPayment(tools, caller, params.paymentRequestId, idempotencyKey),
  ),
  route(cancelCardOperation, ({ params, body, idempotencyKey }, caller) =>
    cancelCardPayment(tools, caller, params.paymentRequestId, body, idempotencyKey),
  ),
  route(cancelOperation, async ({ params }, caller) => {
    const payment = await findOwnPayment(tools, caller.tenant, params.paymentRequestId);
    await closeCardPages(tools, payment, 'requestCancelled');
    await cancelPaymentRequest(tools, caller.tenant, params.paymentRequestId);
    return {
      success: true,
      paymentRequestId: params.paymentRequestId,
      status: 'CANCELLED' as const,
    };
  }),
];
