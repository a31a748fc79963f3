import { type EventDraft, refundStatusBody } from '#modules/events/index.ts';
import type { Ids } from '#platform/ids.ts';
import type { Refund } from './refund.ts';

type Reported = 'COMPLETED' | 'FAILED' | 'CANCELLED';

/** REFUND_STATUS of a refund after the change. */
export const refundEvent = (
  tools: { readonly ids: Ids },
  refund: Refund & { readonly status: Reported },
): EventDraft => ({
  eventId: tools.ids.uuid(),
  eventType: 'REFUND_STATUS',
  resourceId: refund.refundId,
  sequence: refund.eventSequence,
  dedupeKey: `refund:${refund.refundId}:${refund.eventSequence}`,
  signingSecretId: refund.secretId,
  occurredAt: refund.now,
  body: refundStatusBody({
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
  }),
});

export const isReported = (status: Refund['status']): status is Reported =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';
