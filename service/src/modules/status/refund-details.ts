import type { getPaymentStatus, ReplyOf } from '@florin/contract';
import { addPence, noPence, type Pence, poundsNumber } from '#kernel/pence.ts';
import { type Refund, refundTypeOf } from '#modules/refunds/index.ts';

type Details = ReplyOf<
  typeof getPaymentStatus
>['transactionDetails'][number]['refundDetails'][number];

/** STATUS-4. Notes are personal: they may name the customer. */
export const refundDetails = (refund: Refund, showsPersonal: boolean): Details => ({
  id: refund.refundId,
  amount: poundsNumber(refund.amountPence),
  currency: 'GBP',
  status: refund.status,
  createdAt: refund.createdAt.toISOString(),
  updatedAt: refund.updatedAt.toISOString(),
  refundNotes: showsPersonal ? refund.notes : null,
  refundType: refundTypeOf(refund),
  refundId: refund.refundId,
});

/** Returned, or on its way: neither failed nor cancelled. */
export const refundedPence = (refunds: readonly Refund[]): Pence =>
  refunds
    .filter(({ status }) => status !== 'FAILED' && status !== 'CANCELLED')
    .reduce((sum, { amountPence }) => addPence(sum, amountPence), noPence);
