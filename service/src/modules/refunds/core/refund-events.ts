import {
  type EventDraft,
  posPaymentStatusBody,
  refundStatusBody,
  type VoidedSale,
} from '#modules/events/index.ts';
import type { Ids } from '#platform/clock.ts';
import type { Refund } from './refund.ts';

type Reported = 'COMPLETED' | 'FAILED' | 'CANCELLED';
type Ended = Refund & { readonly status: Reported };

/**
 * REFUND_STATUS of a refund after the change. Of a payment of the till POS_PAYMENT_STATUS, which knows no
 * cancelled void: then nothing is emitted (EVENT-2).
 */
export const refundEvents = (
  tools: { readonly ids: Ids },
  refund: Ended,
): readonly EventDraft[] => {
  if (!refund.sale) return [draft(tools, refund, 'REFUND_STATUS', refundBody(refund))];
  if (refund.status === 'CANCELLED') return [];
  const body = voidBody(refund, refund.status, refund.sale);
  return [draft(tools, refund, 'POS_PAYMENT_STATUS', body)];
};

const draft = (
  { ids }: { readonly ids: Ids },
  refund: Refund,
  eventType: EventDraft['eventType'],
  body: object,
): EventDraft => ({
  eventId: ids.uuid(),
  eventType,
  resourceId: refund.refundId,
  sequence: refund.eventSequence,
  dedupeKey: `refund:${refund.refundId}:${refund.eventSequence}`,
  signingSecretId: refund.secretId,
  occurredAt: refund.now,
  body,
});

const refundBody = (refund: Ended): object =>
  refundStatusBody({
    refundId: refund.refundId,
    paymentRequestId: refund.paymentRequestId,
    paymentIdempotencyId: refund.paymentIdempotencyId,
    status: refund.status,
    paidPence: refund.paidPence,
    refundPence: refund.amountPence,
    refundNotes: refund.notes,
    orderId: refund.orderId,
    createdAt: refund.createdAt,
    updatedAt: refund.now,
  });

const voidBody = (refund: Refund, status: 'COMPLETED' | 'FAILED', sale: VoidedSale): object =>
  posPaymentStatusBody({
    ...sale,
    kind: 'VOID',
    status,
    statusDetails: null,
    merchantId: refund.tenant.merchantId,
    refundId: refund.refundId,
    refundPence: refund.amountPence,
    paidPence: refund.paidPence,
    paymentRequestId: refund.paymentRequestId,
    paymentIdempotencyId: refund.paymentIdempotencyId,
    transactionType: refund.method === 'CARD' ? 'CARD' : 'OPEN_BANKING',
    orderId: refund.orderId,
    createdAt: refund.createdAt,
    updatedAt: refund.now,
    errorDescription: refund.errorDescription,
    splitBill: false,
  });

export const isReported = (status: Refund['status']): status is Reported =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';
