import type Stripe from 'stripe';
import { pence } from '#kernel/pence.ts';
import type { CardRefundsOutcome, ProcessorRefund } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import type { PaymentState } from '../account/rail-state.ts';
import { unanswered, unknown } from '../account/unknown.ts';
import { failureOf } from './classify-refund.ts';

// A page of the processor. More refunds of one payment than this are not known of any merchant.
const pageSize = 100;

export const readRefunds = async (
  account: Account,
  state: PaymentState,
): Promise<CardRefundsOutcome> => {
  const { paymentId } = state;
  if (paymentId === undefined) return unknown('The payment is not known at the card processor.');
  const call = { operation: 'read refunds', subject: state.attemptId };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.refunds.list({ payment_intent: paymentId, limit: pageSize }),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED')
    return unknown(`The card processor does not list the refunds (${answer.code}).`);
  if (answer.value.has_more) return unknown('There are too many refunds to read them.');
  return { kind: 'REFUNDS', refunds: answer.value.data.map(refundOf).reverse() };
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
