import type Stripe from 'stripe';
import { pence } from '#kernel/pence.ts';
import type { CardRefundsOutcome, ProcessorRefund } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import type { PaymentState } from '../account/rail-state.ts';
import { unknown } from '../account/unknown.ts';
import { failureOf } from './classify-refund.ts';
import { listedRefundsMax, listRefunds } from './list-refunds.ts';

export const readRefunds = async (
  account: Account,
  state: PaymentState,
): Promise<CardRefundsOutcome> => {
  const { paymentId } = state;
  if (paymentId === undefined) return unknown('The payment is not known at the card processor.');
  const call = { operation: 'read refunds', subject: state.attemptId };
  const listed = await listRefunds(account, call, paymentId);
  if (listed.kind === 'UNKNOWN') return listed;
  const refunds = listed.refunds.map(refundOf).reverse();
  return listed.isComplete
    ? { kind: 'REFUNDS', refunds }
    : { kind: 'TOO_MANY', readPerPayment: listedRefundsMax, refunds };
};

const refundOf = (refund: Stripe.Refund): ProcessorRefund => ({
  reference: refund.id,
  refundId: refund.metadata?.refundId ?? null,
  amountPence: pence(refund.amount),
  ...statusOf(refund),
});

const statusOf = (refund: Stripe.Refund): Pick<ProcessorRefund, 'status' | 'errorDescription'> => {
  switch (refund.status) {
    case 'succeeded':
      return { status: 'COMPLETED', errorDescription: null };
    case 'canceled':
      return { status: 'FAILED', errorDescription: 'The refund was cancelled at the processor.' };
    case 'failed':
      return { status: 'FAILED', errorDescription: failureOf(refund).description };
    default:
      return { status: 'PENDING', errorDescription: null };
  }
};
