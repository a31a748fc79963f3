import type {
  listRefunds as described,
  listRefunds as describedListRefunds,
  ReplyOf,
  requestRefund,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { poundsText } from '#kernel/pence.ts';
import { findOwnPayment } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { type Refund, refundTypeOf, type WaitsFor } from '../core/refund.ts';
import { readRefundsOf } from '../core/store/read-refunds.ts';

export const refundView = (refund: Refund): ReplyOf<typeof requestRefund> => ({
  refundId: refund.refundId,
  paymentRequestId: refund.paymentRequestId,
  paymentIdempotencyId: refund.paymentIdempotencyId,
  status: refund.status,
  paidAmount: poundsText(refund.paidPence),
  refundAmount: poundsText(refund.amountPence),
  currency: 'GBP',
  refundNotes: refund.notes,
  orderId: refund.orderId,
  createdAt: refund.createdAt.toISOString(),
  updatedAt: refund.updatedAt.toISOString(),
});

const listedRefundView = (refund: Refund): ReplyOf<typeof describedListRefunds>[number] => ({
  ...refundView(refund),
  refundType: refundTypeOf(refund),
  bankReference: refund.endToEndId,
  statusReason: refund.errorDescription ?? (refund.waitsFor && reasons[refund.waitsFor]),
});

const reasons = {
  BALANCE:
    'BALANCE: it waits until enough money of payments to the account of its store has arrived.',
  SETTLEMENT: 'SETTLEMENT: it waits until the money of its payment has arrived.',
  OPERATOR: 'OPERATOR: it could not be handed over; the operator was told, and it is tried again.',
  REFUND_ACCOUNT_NEEDED:
    'REFUND_ACCOUNT_NEEDED: the bank did not say which account paid; enter the account to refund to.',
} as const satisfies Record<WaitsFor, string>;

export const listRefunds = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<ReplyOf<typeof described>> => {
  const refunds = await readRefundsOf(tools.database, tenant, paymentRequestId);
  // For an unknown payment the answer is a failure, not an empty list.
  if (refunds.length === 0) await findOwnPayment(tools, tenant, paymentRequestId);
  return refunds.map(listedRefundView);
};
