import {
  cancelCardPayment as cancelCardOperation,
  cancelPaymentRequest as cancelOperation,
  captureCardPayment as captureCardOperation,
  chargeCard as chargeCardOperation,
  requestPayment as requestOperation,
} from '@florin/contract';
import type { CardRails } from '#modules/cards/index.ts';
import { type Route, route, routeHandlingIdempotency } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { cancelWithCardPages } from './card/cancel-with-card-pages.ts';
import { cancelCardPayment } from './card/captures/cancel-card-payment.ts';
import { captureCardPayment } from './card/captures/capture-card-payment.ts';
import { chargeCard } from './card/charges/charge-card.ts';
import type { ChargeSender } from './card/charges/charge-sender.ts';
import type { BankRails } from './core/bank-rails.ts';
import { requestPayment } from './requests/request-payment.ts';

export const merchantRoutes = (
  tools: Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
    readonly bankRails: BankRails;
    readonly cardRails: CardRails;
    readonly chargeSender: ChargeSender;
    readonly publicUrl: string;
  },
): readonly Route[] => [
  routeHandlingIdempotency(requestOperation, (call, caller) =>
    requestPayment(tools, caller, call.body, call.idempotencyKey),
  ),
  routeHandlingIdempotency(chargeCardOperation, (call, caller) =>
    chargeCard(tools, caller, call.body, call.idempotencyKey),
  ),
  route(captureCardOperation, ({ params, idempotencyKey }, caller) =>
    captureCardPayment(tools, caller, params.paymentRequestId, idempotencyKey),
  ),
  route(cancelCardOperation, ({ params, body, idempotencyKey }, caller) =>
    cancelCardPayment(tools, caller, params.paymentRequestId, body, idempotencyKey),
  ),
  route(cancelOperation, async ({ params }, caller) => {
    await cancelWithCardPages(tools, caller.tenant, params.paymentRequestId);
    return {
      success: true,
      paymentRequestId: params.paymentRequestId,
      status: 'CANCELLED' as const,
    };
  }),
];
