import type { CardRow } from './card-row.ts';

export type Metadata = Readonly<Record<string, string>>;
export type CaptureMethod = 'automatic' | 'automatic_async' | 'manual';
type CredentialUsage = 'unscheduled' | 'recurring' | 'installment';
export type RequestThreeDs = 'automatic' | 'any' | 'challenge';

type RecordBase = {
  readonly id: string;
  readonly createdAt: number;
  readonly customerId: string | null;
  // 0 until it is saved; counts the changes since.
  readonly version: number;
  readonly clockOffsetMs: number;
};

export type CustomerRecord = RecordBase & {
  readonly kind: 'customer';
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly isDeleted: boolean;
};

// `card` names a row of the table of magic cards; the number itself is not stored.
export type MethodRecord = RecordBase & {
  readonly kind: 'method';
  readonly card: string;
  readonly fingerprint: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly holderName: string | null;
  readonly allowRedisplay: 'always' | 'limited' | 'unspecified';
  readonly isSetUpOffSession: boolean;
  readonly metadata: Metadata;
};

export type TransStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'I';

export type Authentication = {
  readonly transStatus: TransStatus | null;
  readonly flow: 'frictionless' | 'challenge' | null;
  readonly eci: string | null;
  readonly result: string;
  readonly resultReason: string | null;
  readonly transactionId: string | null;
  readonly version: string | null;
  readonly hasLiabilityShift: boolean;
  readonly at: number;
};

type DisputeWaits =
  | 'needs_response'
  | 'under_review'
  | 'warning_needs_response'
  | 'warning_under_review';
export type DisputeEnd = 'won' | 'lost' | 'warning_closed';

export type Dispute = {
  readonly id: string;
  readonly at: number;
  // An inquiry warns: nothing is taken.
  readonly status: DisputeWaits | DisputeEnd;
  readonly endsAs: DisputeEnd;
  readonly endsAt: number;
  readonly evidence: Metadata;
  // How often evidence was sent: of an inquiry, and again when it becomes a dispute.
  readonly submissions: number;
  readonly metadata: Metadata;
};

// One try at the card network, approved or declined.
export type Attempt = {
  readonly id: string;
  readonly at: number;
  readonly amount: number;
  readonly methodId: string;
  readonly card: string;
  readonly fingerprint: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly holderName: string | null;
  readonly isMerchantInitiated: boolean;
  readonly declineCode: string | null;
  readonly authentication: Authentication | null;
  readonly networkTransactionId: string;
  readonly authorizationCode: string | null;
  readonly captureBefore: number | null;
  readonly amountCaptured: number;
  readonly isCaptured: boolean;
  readonly dispute: Dispute | null;
};

export type Refund = {
  readonly id: string;
  readonly at: number;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  readonly reason: string | null;
  readonly failureReason: string | null;
  readonly metadata: Metadata;
  // Its next status, reached by time alone on the intent's clock.
  readonly becomes: { readonly status: 'succeeded' | 'failed'; readonly at: number } | null;
};

export type PaymentError = {
  readonly code: string;
  readonly declineCode: string | null;
  readonly message: string;
  readonly attemptId: string | null;
};

export type Challenge = {
  readonly id: string;
  readonly methodId: string;
  readonly startedAt: number;
};

type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'requires_capture'
  | 'canceled'
  | 'succeeded';

export type IntentRecord = RecordBase & {
  readonly kind: 'intent';
  readonly amount: number;
  readonly currency: string;
  readonly status: IntentStatus;
  readonly captureMethod: CaptureMethod;
  readonly methodId: string | null;
  readonly sessionId: string | null;
  readonly description: string | null;
  readonly receiptEmail: string | null;
  readonly statementDescriptorSuffix: string | null;
  readonly metadata: Metadata;
  readonly setupFutureUsage: 'off_session' | 'on_session' | null;
  readonly setupCredentialUsage: CredentialUsage | null;
  readonly storedCredentialUsage: CredentialUsage | null;
  readonly requestThreeDs: RequestThreeDs;
  readonly clientSecret: string;
  readonly attempts: readonly Attempt[];
  readonly refunds: readonly Refund[];
  readonly challenge: Challenge | null;
  // Where the customer goes after a challenge outside of a session.
  readonly returnUrl: string | null;
  readonly lastAuthentication: Authentication | null;
  readonly lastError: PaymentError | null;
  readonly canceledAt: number | null;
  readonly cancellationReason: string | null;
};

export type LineItem = {
  readonly id: string;
  readonly name: string;
  readonly unitAmount: number;
  readonly quantity: number;
};

// Colours, each `#rrggbb`.
export type FieldsLook = { readonly background: string; readonly button: string };

export type SessionRecord = RecordBase & {
  readonly kind: 'session';
  readonly status: 'open' | 'complete' | 'expired';
  readonly currency: string;
  readonly amount: number;
  readonly lineItems: readonly LineItem[];
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  // Set when its fields stand in the shop's page; null: it has a page here.
  readonly clientSecret: string | null;
  // Of those fields; null: the account's own.
  readonly look: FieldsLook | null;
  readonly clientReferenceId: string | null;
  readonly customerEmail: string | null;
  readonly metadata: Metadata;
  readonly expiresAt: number;
  readonly intentId: string | null;
  readonly intentParameters: IntentParameters;
  readonly offersToSave: boolean;
  // The shop says itself what saving the card is for.
  readonly hidesAgreement: boolean;
  readonly redisplayFilters: readonly string[];
};

export type IntentParameters = Pick<
  IntentRecord,
  | 'captureMethod'
  | 'description'
  | 'receiptEmail'
  | 'statementDescriptorSuffix'
  | 'metadata'
  | 'setupFutureUsage'
  | 'setupCredentialUsage'
  | 'storedCredentialUsage'
  | 'requestThreeDs'
>;

// A card that is to be charged later: proven by its holder, and nothing is paid.
export type SetupRecord = RecordBase & {
  readonly kind: 'setup';
  readonly status: Exclude<IntentStatus, 'requires_capture'>;
  readonly methodId: string | null;
  readonly usage: 'off_session' | 'on_session';
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly requestThreeDs: RequestThreeDs;
  readonly clientSecret: string;
  readonly challenge: Challenge | null;
  readonly returnUrl: string | null;
  readonly lastError: PaymentError | null;
  readonly cancellationReason: string | null;
};

export type EndpointRecord = RecordBase & {
  readonly kind: 'endpoint';
  readonly url: string;
  readonly enabledEvents: readonly string[];
  readonly isEnabled: boolean;
  readonly metadata: Metadata;
};

// Its bytes are checked and not kept.
export type FileRecord = RecordBase & {
  readonly kind: 'file';
  readonly fileName: string;
  readonly bytes: number;
  readonly type: 'pdf' | 'jpg' | 'png';
};

// What every record has before it is saved.
export const unsaved = (createdAt: number) =>
  ({ createdAt, customerId: null, version: 0, clockOffsetMs: 0 }) as const;

export type CardRecord =
  | CustomerRecord
  | MethodRecord
  | IntentRecord
  | SessionRecord
  | SetupRecord
  | FileRecord
  | EndpointRecord;

export type RecordOf<Kind extends CardRecord['kind']> = Extract<CardRecord, { kind: Kind }>;

// The type of an event and the resource it is about; its body is rendered at commit.
export type EventDraft = {
  readonly type: string;
  readonly id: string;
};

export type Change = {
  readonly saved: readonly CardRecord[];
  readonly eventDrafts: readonly EventDraft[];
};

export type Outcome<Result> = Change & { readonly result: Result };

export type Card = {
  readonly row: CardRow;
  readonly method: MethodRecord;
};

// The version of the Stripe API that is simulated; it matches the pinned client of the tests.
export const apiVersion = '2026-10-28.endive';
