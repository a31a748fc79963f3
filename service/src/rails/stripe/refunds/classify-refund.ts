import type Stripe from 'stripe';
import type { CardRefundOutcome } from '#rails/card-rail.ts';
import { plainCode } from '../account/plain-code.ts';
import type { RefundState } from '../account/rail-state.ts';
import { writeState } from '../account/rail-state.ts';
import { unknown } from '../account/unknown.ts';

export const classifyRefund = (state: RefundState, refund: Stripe.Refund): CardRefundOutcome => {
  const isOurs = refund.metadata?.refundId === state.refundId && refund.amount === state.amount;
  if (!isOurs) return unknown('The card processor answers about another refund.');
  const known = { state: writeState({ ...state, reference: refund.id }), reference: refund.id };
  switch (refund.status) {
    case 'succeeded':
      return { kind: 'COMPLETED', ...known };
    case 'canceled':
      return { kind: 'CANCELLED', ...known };
    case 'failed':
      return { kind: 'FAILED', ...known, ...failureOf(refund) };
    default:
      return { kind: 'PENDING', ...known };
  }
};

export const failureOf = ({ failure_reason: reason }: Stripe.Refund) => {
  const code = plainCode(reason ?? 'unknown');
  return { code, description: sentenceFor(code) };
};

/** Rejected, or known never to have arrived: the processor created no refund. */
export const refundNotMade = (state: RefundState, code: string): CardRefundOutcome => ({
  kind: 'FAILED',
  state: writeState(state),
  reference: null,
  code,
  description: sentenceFor(code),
});

const sentenceFor = (code: string): string => sentences.get(code) ?? couldNot;

const couldNot = 'The card processor could not make the refund.';

const sentences = new Map<string, string>([
  [
    'lost_or_stolen_card',
    'The card was lost or stolen: the bank that issued it returned the refund.',
  ],
  [
    'expired_or_canceled_card',
    'The card has expired or was closed: the bank that issued it returned the refund.',
  ],
  [
    'charge_for_pending_refund_disputed',
    'The payment is disputed: its money goes back by the dispute and not by a refund.',
  ],
  [
    'charge_disputed',
    'The payment is disputed: its money goes back by the dispute and not by a refund.',
  ],
  ['insufficient_funds', 'There is not enough money on the account at the card processor.'],
  ['balance_insufficient', 'There is not enough money on the account at the card processor.'],
  ['declined', 'The bank that issued the card declined the refund.'],
  ['merchant_request', 'The refund was cancelled on request.'],
  ['charge_already_refunded', 'The payment was refunded before.'],
  ['NOT_SENT', 'The refund did not reach the card processor.'],
]);
