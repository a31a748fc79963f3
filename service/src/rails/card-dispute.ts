import type { Pence } from '#kernel/pence.ts';
import type { Refusal, Unknown } from './bank-rail.ts';

export type DisputeOutcome = Dispute | Unknown;

type Dispute = {
  readonly kind: 'DISPUTE';
  readonly status: 'OPEN' | 'WON' | 'LOST';
  readonly amountPence: Pence;
  readonly paymentReference: string | null;
  /** Null: it is no payment of ours. */
  readonly attemptId: string | null;
  readonly reason: string;
  readonly respondBy: Date | null;
  /** How often evidence was sent, from here or in the processor's own pages. */
  readonly submissions: number;
};

export type EvidenceFile = {
  /** Ours, equal for the same bytes alone. */
  readonly key: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
};

export type EvidenceFileOutcome =
  | { readonly kind: 'UPLOADED'; readonly fileReference: string }
  | Refusal
  | Unknown;

/** What a merchant says, and what they uploaded, each only where there is something. */
export type DisputeEvidence = {
  readonly texts: { readonly [Name in EvidenceText]?: string };
  readonly files: { readonly [Name in EvidenceFileKind]?: string };
};

export type EvidenceText =
  | 'productDescription'
  | 'customerName'
  | 'customerEmail'
  | 'serviceDate'
  | 'shippingAddress'
  | 'shippingDate'
  | 'shippingCarrier'
  | 'shippingTrackingNumber'
  | 'refundPolicyShown'
  | 'refundRefusal'
  | 'other';

export type EvidenceFileKind =
  | 'receipt'
  | 'customerCommunication'
  | 'shippingDocumentation'
  | 'serviceDocumentation'
  | 'refundPolicy'
  | 'other';

export type DisputeAnswer = {
  /** Ours, unique for each answer that a person sends. */
  readonly key: string;
  readonly disputeReference: string;
  /** Those that the processor had when this answer was sent: one of an inquiry, which is a dispute now. */
  readonly submissionsBefore: number;
  /** Null: it is not contested, and is lost at once. */
  readonly evidence: DisputeEvidence | null;
};

export type DisputeAnswerOutcome =
  | { readonly kind: 'ANSWERED'; readonly dispute: Dispute }
  | Refusal
  | Unknown;
