import {
  posPaymentStatusBody,
  type StoreDetails,
  tillFields,
  type VoidedSale,
} from '#modules/events/index.ts';
import type { CardRefund } from './attempt-card.ts';
import { partsOfShare } from './parts-of-share.ts';
import {
  type Attempt,
  latestAttempt,
  type Payment,
  requestedPence,
  tipToPay,
  totalPence,
} from './payment.ts';
import { statusDetailsOf } from './status-details-of.ts';

/** The body for an attempt of a sale; null where nothing is emitted of its state. */
export const saleBody = (
  payment: Payment,
  attempt: Attempt,
  storeDetails: StoreDetails,
): object | null => {
  const { status } = attempt;
  if (status !== 'COMPLETED' && status !== 'FAILED') return null;
  return posPaymentStatusBody({
    ...partiesOf(payment, attempt),
    ...attemptOf(attempt),
    kind: 'PAYMENT',
    status,
    statusDetails: statusDetailsOf(attempt),
    paidPence: totalPence(attempt),
    tipPence: attempt.tipPence,
    ...partsOfShare(payment, attempt),
    createdAt: attempt.createdAt,
    updatedAt: payment.now,
    errorDescription: attempt.errorDescription,
    storeDetails,
  });
};

/** Of a sale that expired: the amount that was asked for, as in EXPIRED_STATUS. */
export const expiredSaleBody = (payment: Payment, storeDetails: StoreDetails): object => {
  const latest = latestAttempt(payment);
  const tipPence = tipToPay(payment);
  return posPaymentStatusBody({
    ...partiesOf(payment, latest),
    ...(latest ? attemptOf(latest) : { paymentIdempotencyId: null, transactionType: null }),
    kind: 'PAYMENT',
    status: 'EXPIRED',
    statusDetails: null,
    paidPence: requestedPence(payment),
    tipPence,
    ...payment.parts,
    createdAt: payment.createdAt,
    updatedAt: payment.now,
    errorDescription: null,
    storeDetails,
  });
};

/** Of money that the merchant returned, or failed to return, in the processor's own dashboard. */
export const returnedSaleBody = (
  payment: Payment,
  attempt: Attempt,
  { refundId, amountPence, refundedAt, failedAt, errorDescription }: CardRefund,
): object =>
  posPaymentStatusBody({
    ...partiesOf(payment, attempt),
    ...attemptOf(attempt),
    ...partsOfShare(payment, attempt),
    kind: 'VOID',
    status: failedAt ? 'FAILED' : 'COMPLETED',
    statusDetails: null,
    refundId,
    refundPence: amountPence,
    paidPence: totalPence(attempt),
    createdAt: refundedAt,
    updatedAt: failedAt ?? refundedAt,
    errorDescription,
  });

/** What a refund of the payment tells of it; null unless the till made it. */
export const voidedSaleOf = (payment: Payment, attempt: Attempt): VoidedSale | null =>
  isOfTill(payment)
    ? {
        customerReference: payment.merchantCustomerReference,
        consumerId: attempt.applicationUserId,
        merchantName: payment.merchant.name,
        redirectUrlParams: payment.callbackParams,
        notes: payment.notes,
        customFields: tillFields(payment.tillName),
        ...partsOfShare(payment, attempt),
      }
    : null;

const attemptOf = ({ paymentIdempotencyId, method }: Attempt) => ({
  paymentIdempotencyId,
  transactionType: method === 'CARD' ? ('CARD' as const) : ('OPEN_BANKING' as const),
});

const partiesOf = (payment: Payment, attempt: Attempt | undefined) => ({
  merchantId: payment.tenant.merchantId,
  customerReference: payment.merchantCustomerReference,
  consumerId: attempt?.applicationUserId ?? null,
  merchantName: payment.merchant.name,
  orderId: payment.orderId,
  paymentRequestId: payment.paymentRequestId,
  redirectUrlParams: payment.callbackParams,
  splitBill: false,
  notes: payment.notes,
  customFields: tillFields(payment.tillName),
});

/** Payments of the till emit POS_PAYMENT_STATUS and nothing else (EVENT-2). */
export const isOfTill = ({ channel }: Pick<Payment, 'channel'>): boolean => channel === 'TILL';
