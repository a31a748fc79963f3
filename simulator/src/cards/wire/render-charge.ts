import type { Attempt, IntentRecord } from '../model.ts';
import { declineOf } from '../rules/decline-of.ts';
import { refundedAmount } from '../rules/finish-payment.ts';
import { balanceEntryId } from '../rules/ids.ts';

export const renderCharge = (intent: IntentRecord, attempt: Attempt, card: object): Rendered => {
  const isApproved = attempt.declineCode === null;
  const decline = isApproved ? undefined : declineOf(attempt.declineCode ?? '');
  const released = isApproved ? releasedAmount(intent, attempt) : 0;
  return {
    id: attempt.id,
    object: 'charge',
    amount: attempt.amount,
    amount_captured: attempt.amountCaptured,
    amount_refunded: released,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: attempt.isCaptured ? balanceEntryId(attempt.id, 'first') : null,
    billing_details: { address: null, email: null, name: attempt.holderName, phone: null },
    calculated_statement_descriptor: 'SIMULATION',
    captured: attempt.isCaptured,
    created: seconds(attempt.at),
    currency: intent.currency,
    customer: intent.customerId,
    description: intent.description,
    disputed: attempt.dispute !== null,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(attempt),
    paid: isApproved,
    payment_intent: intent.id,
    payment_method: attempt.methodId,
    payment_method_details: { type: 'card', card },
    receipt_email: intent.receiptEmail,
    receipt_number: null,
    receipt_url: null,
    refunded: released > 0 && released >= attempt.amount,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statementDescriptorSuffix,
    status: isApproved ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
};

// Amounts released by a capture or a cancellation count as refunded too, as at Stripe.
const releasedAmount = (intent: IntentRecord, attempt: Attempt): number => {
  if (intent.status === 'canceled') return attempt.amount;
  if (!attempt.isCaptured) return 0;
  return attempt.amount - attempt.amountCaptured + refundedAmount(intent);
};

const outcomeOf = (attempt: Attempt) => {
  if (attempt.declineCode === null) {
    return {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    };
  }
  const decline = declineOf(attempt.declineCode);
  return {
    advice_code: decline.advice,
    network_advice_code: null,
    network_decline_code: decline.networkCode,
    network_status: 'declined_by_network',
    reason: attempt.declineCode,
    risk_level: 'normal',
    seller_message: 'The bank declined this payment.',
    type: 'issuer_declined',
  };
};

export type Rendered = { readonly id: string; readonly object: string } & Record<string, unknown>;

export const seconds = (ms: number): number => Math.floor(ms / 1000);
