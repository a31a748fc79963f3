import type { getPaymentStatus, ReplyOf } from '@florin/contract';
import { addPence, noPence, type Pence, poundsNumber } from '#kernel/pence.ts';
import {
  type Attempt,
  type CardRefund,
  refundedAtProcessor,
  totalPence,
} from '#modules/payments/index.ts';
import { type Refund, refundTypeOf } from '#modules/refunds/index.ts';

type Details = ReplyOf<
  typeof getPaymentStatus
>['transactionDetails'][number]['refundDetails'][number];

/** STATUS-4. Those of ours, then those made in the processor's dashboard (REFUND-9). */
export const refundMembers = (
  attempt: Attempt,
  refunds: readonly Refund[],
  showsPersonal: boolean,
): { readonly totalRefundAmount: number; readonly refundDetails: Details[] } => {
  const atProcessor = attempt.card?.refunds ?? [];
  return {
    totalRefundAmount: poundsNumber(
      addPence(refundedPence(refunds), refundedAtProcessor(atProcessor)),
    ),
    refundDetails: [
      ...refunds.map((refund) => refundDetails(refund, showsPersonal)),
      ...atProcessor.map((refund) => processorRefundDetails(refund, totalPence(attempt))),
    ],
  };
};

/** Notes are personal: they may name the customer. */
const refundDetails = (refund: Refund, showsPersonal: boolean): Details => ({
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

const processorRefundDetails = (
  { refundId, amountPence, refundedAt, failedAt }: CardRefund,
  paidPence: Pence,
): Details => ({
  id: refundId,
  amount: poundsNumber(amountPence),
  currency: 'GBP',
  status: failedAt ? 'FAILED' : 'COMPLETED',
  createdAt: refundedAt.toISOString(),
  updatedAt: (failedAt ?? refundedAt).toISOString(),
  refundNotes: null,
  refundType: refundTypeOf({ amountPence, paidPence }),
  refundId,
});

/** Returned, or on its way: neither failed nor cancelled. */
const refundedPence = (refunds: readonly Refund[]): Pence =>
  refunds
    .filter(({ status }) => status !== 'FAILED' && status !== 'CANCELLED')
    .reduce((sum, { amountPence }) => addPence(sum, amountPence), noPence);
