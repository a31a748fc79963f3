import type Stripe from 'stripe';
import type { CardRefundOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import type { Answer } from '../account/call-processor.ts';
import { callProcessor } from '../account/call-processor.ts';
import type { RefundState } from '../account/rail-state.ts';
import { unanswered } from '../account/unknown.ts';
import { classifyRefund, refundNotMade } from './classify-refund.ts';

export const refund = async (account: Account, state: RefundState): Promise<CardRefundOutcome> => {
  const answer = await sendRefund(account, state);
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED') return refundNotMade(state, answer.code);
  return classifyRefund(state, answer.value);
};

export const sendRefund = (account: Account, state: RefundState): Promise<Answer<Stripe.Refund>> =>
  callProcessor(account, { operation: 'refund', subject: state.refundId }, (stripe) =>
    stripe.refunds.create(
      {
        payment_intent: state.paymentId,
        amount: state.amount,
        metadata: { refundId: state.refundId },
      },
      { idempotencyKey: `${state.refundId}:refund` },
    ),
  );
