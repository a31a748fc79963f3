import { type Pence, poundsNumber } from '#kernel/pence.ts';
import type { StoreDetails } from './payments-status-body.ts';

export type ExpiredStatus = {
  readonly merchantId: string;
  readonly customerReference: string | null;
  readonly requestedPence: Pence;
  readonly storeDetails: StoreDetails;
  readonly orderId: string;
  readonly paymentRequestId: string;
  readonly redirectUrl: string | null;
  readonly redirectUrlParams: Readonly<Record<string, unknown>>;
};

export const expiredStatusBody = (request: ExpiredStatus): object => ({
  merchantId: request.merchantId,
  customerId: request.customerReference,
  status: 'EXPIRED',
  paidAmount: poundsNumber(request.requestedPence),
  currency: 'GBP',
  storeDetails: request.storeDetails,
  orderId: request.orderId,
  paymentRequestId: request.paymentRequestId,
  redirectUrl: request.redirectUrl,
  redirectUrlParams: JSON.stringify(request.redirectUrlParams),
});
