import type { Dispute, DisputeEnd, IntentRecord, Metadata } from '../model.ts';
import type { Step } from './authorise.ts';

const evidenceTexts = [
  ...['access_activity_log', 'billing_address', 'cancellation_policy_disclosure'],
  ...['cancellation_rebuttal', 'customer_email_address', 'customer_name', 'customer_purchase_ip'],
  ...['duplicate_charge_explanation', 'duplicate_charge_id', 'product_description'],
  ...['refund_policy_disclosure', 'refund_refusal_explanation', 'service_date'],
  ...['shipping_address', 'shipping_carrier', 'shipping_date', 'shipping_tracking_number'],
  'uncategorized_text',
];

// Each names an uploaded file.
export const evidenceFiles = [
  ...['cancellation_policy', 'customer_communication', 'customer_signature'],
  ...['duplicate_charge_documentation', 'receipt', 'refund_policy', 'service_documentation'],
  ...['shipping_documentation', 'uncategorized_file'],
];

export const evidenceNames = [...evidenceTexts, ...evidenceFiles];

type Answer = {
  readonly evidence: Metadata;
  readonly metadata: Metadata;
  // Else the evidence is kept, to be sent later.
  readonly isSent: boolean;
};

// What a merchant may write to have it decided at once, as in Stripe's test mode.
const decidingTexts: Readonly<Record<string, DisputeEnd>> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
};

const escalating = 'escalate_inquiry_evidence';

// The bank is not satisfied, and takes the money under the same id.
const escalate = (inquiry: Dispute): Dispute => ({
  ...inquiry,
  ...{ status: 'needs_response', endsAs: 'lost' },
});

export const answerDispute = (intent: IntentRecord, dispute: Dispute, answer: Answer): Step => {
  const { isSent, evidence, metadata } = answer;
  const status = dispute.status.startsWith('warning_') ? 'warning_under_review' : 'under_review';
  const answered: Dispute = {
    ...dispute,
    evidence,
    metadata,
    ...(isSent && { status, submissions: dispute.submissions + 1 }),
  };
  const decides = isSent ? evidence.uncategorized_text : undefined;
  const isEscalated = decides === escalating && status === 'warning_under_review';
  const changed = withDispute(intent, isEscalated ? escalate(answered) : answered);
  const updated = { type: 'charge.dispute.updated', id: dispute.id };
  const end = decidingTexts[decides ?? ''];
  if (end === undefined) return { intent: changed, eventDrafts: [updated] };
  const closed = closeDispute(changed, answered, end);
  return { ...closed, eventDrafts: [updated, ...closed.eventDrafts] };
};

export const closeDispute = (intent: IntentRecord, dispute: Dispute, end: DisputeEnd): Step => ({
  intent: withDispute(intent, { ...dispute, status: end }),
  eventDrafts: [{ type: 'charge.dispute.closed', id: dispute.id }],
});

// Only a payment that was made is disputed: its last attempt.
const withDispute = (intent: IntentRecord, dispute: Dispute): IntentRecord => ({
  ...intent,
  attempts: intent.attempts.map((attempt) =>
    attempt.dispute?.id === dispute.id ? { ...attempt, dispute } : attempt,
  ),
});
