import {
  expiredStatusBody,
  type PaymentsStatus,
  paymentsStatusBody,
  refundStatusBody,
  type StoreDetails,
} from '#modules/events/index.ts';
import type { Ids } from '#platform/ids.ts';
import type { CardRefund } from './attempt-card.ts';
import type { AttemptStatus } from './attempt-lifecycle.ts';
import type { Change } from './draft-change.ts';
import { outstandingPence } from './find-share.ts';
import { partsOfShare } from './parts-of-share.ts';
import { type Attempt, findAttempt, noShare, type Payment, totalPence } from './payment.ts';
import { expiredSaleBody, isOfTill, returnedSaleBody, saleBody } from './sale-body.ts';
import { statusDetailsOf } from './status-details-of.ts';

type Draft = Pick<Change['events'][number], 'eventType' | 'body'>;

/** For an attempt after the change: PAYMENTS_STATUS, of the till POS_PAYMENT_STATUS (EVENT-2). */
export const emitOutcome = (
  tools: { readonly ids: Ids },
  change: Change,
  attemptId: string,
): void => {
  const { payment } = change;
  const attempt = findAttempt(payment, attemptId);
  if (!attempt) return;
  if (isOfTill(payment)) {
    sendSale(tools, change, saleBody(payment, attempt, storeOf(payment)));
    return;
  }
  const isSplit = attempt.shareId !== noShare;
  send(tools, change, {
    eventType: 'PAYMENTS_STATUS',
    body: paymentsStatusBody({
      ...common(payment),
      consumerId: attempt.applicationUserId,
      merchantName: payment.merchant.name,
      paymentIdempotencyId: attempt.paymentIdempotencyId,
      status: statusShown(attempt.status),
      statusDetails: statusDetailsOf(attempt),
      paidPence: totalPence(attempt),
      tipPence: attempt.tipPence,
      ...partsOfShare(payment, attempt),
      createdAt: attempt.createdAt,
      updatedAt: payment.now,
      transactionType: attempt.method === 'CARD' ? 'CARD' : 'OPEN_BANKING',
      errorDescription: attempt.errorDescription,
      splitBill: isSplit,
      splitOutstandingPence: isSplit ? outstandingPence(payment) : null,
      notes: payment.notes,
    }),
  });
};

export const emitExpiry = (tools: { readonly ids: Ids }, change: Change): void => {
  const { payment } = change;
  if (isOfTill(payment)) {
    sendSale(tools, change, expiredSaleBody(payment, storeOf(payment)));
    return;
  }
  send(tools, change, {
    eventType: 'EXPIRED_STATUS',
    body: expiredStatusBody({ ...common(payment), requestedPence: payment.amountPence }),
  });
};

/** For a refund that the merchant made in the processor's own dashboard, done or failed later. */
export const emitRefund = (
  tools: { readonly ids: Ids },
  change: Change,
  attempt: Attempt,
  refund: CardRefund,
): void => {
  const { payment } = change;
  if (isOfTill(payment)) {
    sendSale(tools, change, returnedSaleBody(payment, attempt, refund));
    return;
  }
  const { refundId, amountPence, refundedAt, failedAt } = refund;
  send(tools, change, {
    eventType: 'REFUND_STATUS',
    body: refundStatusBody({
      refundId,
      paymentRequestId: payment.paymentRequestId,
      paymentIdempotencyId: attempt.paymentIdempotencyId,
      status: failedAt ? 'FAILED' : 'COMPLETED',
      paidPence: totalPence(attempt),
      refundPence: amountPence,
      refundNotes: null,
      orderId: payment.orderId,
      createdAt: refundedAt,
      updatedAt: failedAt ?? refundedAt,
    }),
  });
};

/** An attempt that waits for the payer emits nothing. */
const statusShown = (status: AttemptStatus): PaymentsStatus['status'] =>
  status === 'AWAITING_AUTHORIZATION' ? 'PENDING' : status;

const common = (payment: Payment) => ({
  merchantId: payment.tenant.merchantId,
  customerReference: payment.merchantCustomerReference,
  orderId: payment.orderId,
  paymentRequestId: payment.paymentRequestId,
  storeDetails: storeOf(payment),
  redirectUrl: payment.redirectUrl,
  redirectUrlParams: payment.callbackParams,
});

const storeOf = ({ store }: Payment): StoreDetails => ({
  id: store.id,
  address: store.address,
  locationName: store.locationName,
});

const sendSale = (tools: { readonly ids: Ids }, change: Change, body: object | null): void => {
  if (body) send(tools, change, { eventType: 'POS_PAYMENT_STATUS', body });
};

const send = (tools: { readonly ids: Ids }, change: Change, draft: Draft): void => {
  const { payment } = change;
  const sequence = payment.eventSequence + 1;
  change.payment = { ...payment, eventSequence: sequence };
  change.events.push({
    ...draft,
    eventId: tools.ids.uuid(),
    resourceId: payment.paymentRequestId,
    sequence,
    dedupeKey: `payment:${payment.paymentRequestId}:${sequence}`,
    signingSecretId: payment.secretId,
    occurredAt: payment.now,
  });
};
