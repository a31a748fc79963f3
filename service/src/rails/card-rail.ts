import type { Pence } from '#kernel/pence.ts';
import type { OutsideText } from '#platform/card-numbers/mask-card-numbers.ts';
import type { Refusal, Unknown } from './bank-rail.ts';
import type {
  DisputeAnswer,
  DisputeAnswerOutcome,
  DisputeEvidence,
  DisputeOutcome,
  EvidenceFile,
  EvidenceFileOutcome,
} from './card-dispute.ts';
import type { CardEvent, CardEventsOutcome } from './card-event.ts';
import type { CardFields, CardsAccepted, SessionOutcome } from './card-page.ts';

export type {
  CardEvent,
  CardEventsOutcome,
  CardFields,
  CardsAccepted,
  DisputeEvidence,
  DisputeOutcome,
  SessionOutcome,
};

/**
 * The port to a merchant's card processor. Card numbers are typed on the processor's own page and
 * never pass here. Each step answers what is certain; a step that may have happened is UNKNOWN and
 * is polled later. A rail stores nothing: `state` is its opaque memory, which the module encrypts,
 * stores and passes back. `prepare…` uses no network: its state is stored first.
 */
export type CardRail = {
  /** Names the account: customers and cards of one account are unknown to every other. */
  readonly accountKey: string;
  /** Answers at once, as the processor said before: a wallet not known to be on is not named. */
  readonly accepts?: () => CardsAccepted;
  /** What our page needs to show the fields of a session. Absent: it has pages of its own only. */
  readonly fieldsOf?: (state: string) => CardFields | null;
  /** Origins that ask the holder of a saved card in a frame of our page. Absent: on a page of their own. */
  readonly challengeFrames?: readonly string[];
  /** Asked when an account is set up: its key, or that the credentials do not work. */
  readonly readAccount: () => Promise<CardAccountOutcome>;
  /** Asked again with the same order, it answers with the same page. */
  readonly openSession: (order: CardSessionOrder) => Promise<SessionOutcome>;
  /** The page now: PENDING while the payer may still pay there. */
  readonly readSession: (state: string) => Promise<CardOutcome>;
  /** Closes the page before another method is offered: CANCELLED, or the payment made meanwhile. */
  readonly expireSession: (state: string) => Promise<CardOutcome>;

  /** Right before it is sent: the age of the state decides what is still safe. */
  readonly prepareCharge: (order: CardChargeOrder) => string;
  /** Called once. If the outcome is unknown, call `resolveCharge`. */
  readonly charge: (state: string) => Promise<CardOutcome>;
  /** After an unknown charge: looks for it by attempt id, and sends it again only if that is safe. */
  readonly resolveCharge: (state: string) => Promise<CardOutcome>;
  /** The truth about a session's or a charge's payment. */
  readonly readPayment: (state: string) => Promise<CardOutcome>;

  /** The whole amount. REFUSED: still authorised. Safe to call again after UNKNOWN or a crash. */
  readonly capture: (state: string) => Promise<CardOutcome | Refusal>;
  readonly resolveCapture: (state: string) => Promise<CardOutcome | Refusal>;
  /** Releases an authorisation, or ends a step-up that waits for the payer. */
  readonly cancel: (state: string, reason: CancelReason) => Promise<CardOutcome | Refusal>;
  readonly resolveCancel: (state: string, reason: CancelReason) => Promise<CardOutcome | Refusal>;

  /** `state` of the payment in, `state` of the refund out. */
  readonly prepareRefund: (state: string, order: CardRefundOrder) => string;
  /** Called once. If the outcome is unknown, call `readRefund`. */
  readonly refund: (refundState: string) => Promise<CardRefundOutcome>;
  /** Also after an unknown refund: looks for it by refund id, sends it again only if safe. */
  readonly readRefund: (refundState: string) => Promise<CardRefundOutcome>;
  /** Ours and those made elsewhere, the oldest first. */
  readonly readRefunds: (state: string) => Promise<CardRefundsOutcome>;
  readonly createCustomer: (order: CardCustomerOrder) => Promise<CardCustomerOutcome>;
  /** The card cannot be charged any more. Detaching twice is fine. */
  readonly detachCard: (cardReference: string) => Promise<DetachOutcome>;
  /** With all its cards. Deleting twice is fine. */
  readonly deleteCustomer: (customerReference: string) => Promise<DeleteCustomerOutcome>;
  readonly readDispute: (disputeReference: string) => Promise<DisputeOutcome>;
  /** Sent again under the same key it is the same file; one that no answer names does no harm. */
  readonly uploadEvidence: (file: EvidenceFile) => Promise<EvidenceFileOutcome>;
  /** Looks first whether it is answered; safe to call again after UNKNOWN or a crash. */
  readonly answerDispute: (answer: DisputeAnswer) => Promise<DisputeAnswerOutcome>;

  /** The oldest first, as notices told of them: after a restore. */
  readonly listEvents: (since: Date) => Promise<CardEventsOutcome>;
  /** Trusts a notice only for what to read next. The body is the bytes as received. */
  readonly readEvent: (body: Buffer, signature: string) => Promise<CardEvent>;
  /** When an authorisation of this kind usually ends, before the processor has said so. */
  readonly estimateExpiry: (brand: string, initiator: CardInitiator, from: Date) => Date;
};

export type CaptureMethod = 'AUTOMATIC' | 'MANUAL';
export type CardInitiator = 'MERCHANT' | 'CUSTOMER';
export type RecurrenceType = 'unscheduled' | 'recurring' | 'installment';

type CardOrder = {
  /** Ours, unique for ever: the processor's metadata and the root of every idempotency key. */
  readonly attemptId: string;
  readonly paymentRequestId: string;
  readonly amountPence: Pence;
  /** What the payer reads on the processor's page and receipt. */
  readonly description: string;
  readonly captureMethod: CaptureMethod;
};

export type CardSessionOrder = CardOrder & {
  /** Where the browser returns to, paid or not: the return proves nothing. */
  readonly returnUrl: string;
  /** Where the page's way back leads; the same address by default. */
  readonly cancelUrl?: string;
  /** The processor's customer: needed to save a card or to show saved ones. */
  readonly customerReference?: string;
  /** Requests 3DS and stores the card; the module decides by the proof whether it may stay. */
  readonly saveCard?: { readonly recurrenceType: RecurrenceType };
  readonly showsSavedCards?: boolean;
  /** Its fields stand in our page; absent: it has a page of its own. */
  readonly isInOurPage?: boolean;
  /** The colours of our page, each `#rrggbb`, for fields that stand in it. Absent: the account's own. */
  readonly colours?: { readonly ground: string; readonly button: string };
  /** The page also requests the payer's address and telephone. */
  readonly requiresDetails?: boolean;
};

export type CardChargeOrder = CardOrder & {
  readonly customerReference: string;
  readonly cardReference: string;
  readonly recurrenceType: RecurrenceType;
} & (
    | { readonly initiator: 'MERCHANT' }
    /** The payer is present: the bank may challenge, and returns to `returnUrl`. */
    | { readonly initiator: 'CUSTOMER'; readonly returnUrl: string }
  );

export type CardOutcome =
  | {
      readonly kind: 'PENDING';
      readonly state: string;
      readonly lastDecline: Decline | null;
      /** Where the payer may still pay. */
      readonly pageUrl?: string;
    }
  /** The payer is to be sent to the bank's step-up. */
  | { readonly kind: 'ACTION_REQUIRED'; readonly state: string; readonly url: string }
  | {
      readonly kind: 'AUTHORIZED';
      readonly state: string;
      readonly payment: CardPayment;
      readonly expiresAt: Date;
      readonly expirySource: ExpirySource;
    }
  | { readonly kind: 'COMPLETED'; readonly state: string; readonly payment: CardPayment }
  | {
      readonly kind: 'FAILED';
      readonly state: string;
      readonly decline: Decline;
      /** The outcome of the failed attempt. */
      readonly payment: CardPayment | null;
    }
  | {
      readonly kind: 'CANCELLED';
      readonly state: string;
      readonly reason: CancelledReason;
      /** Why the last try on the page was declined, if there was one. */
      readonly lastDecline: Decline | null;
    }
  | Unknown;

export type ExpirySource = 'PROCESSOR' | 'TABLE';

/** The four of CARD-7, then the two that a page or a step-up ends with. */
export type CancelReason =
  | 'Duplicate'
  | 'Abandoned'
  | 'Requested by customer'
  | 'Other'
  | 'SUPERSEDED'
  | 'EXPIRED';

export type CancelledReason = 'AUTHORISATION_EXPIRED' | 'SESSION_EXPIRED' | 'CANCELLED';

export type CardPayment = {
  /** The processor's id of the payment. */
  readonly reference: string;
  readonly amountPence: Pence;
  /** The scheme's id: it is the wire's tracingId and what moves a stored card to another processor. */
  readonly networkTransactionId: string | null;
  readonly card: CardFacts | null;
  readonly authentication: Authentication;
  /** The card that the processor stores for later charges; null: none. */
  readonly savedCardReference: string | null;
  /** When the processor recorded this try. */
  readonly at: Date | null;
};

export type CardFacts = {
  /** The processor's id of the card. */
  readonly reference: string;
  /** VISA, MASTERCARD, AMEX …, UNKNOWN. */
  readonly brand: string;
  readonly funding: 'CREDIT' | 'DEBIT' | 'PREPAID' | 'UNKNOWN';
  readonly category: 'consumer' | 'commercial' | null;
  readonly country: string | null;
  readonly lastFourDigits: string;
  /** MM/YYYY; empty: the processor named no month. */
  readonly expiryDate: string;
  /** Equal for the same card at the same processor account. */
  readonly fingerprint: string | null;
  /** Payers type anything there, also their card number. */
  readonly cardholderName: OutsideText | null;
};

/**
 * `hasHappened` only when the cardholder's bank really authenticated: an attempt does not count.
 */
export type Authentication = {
  readonly hasHappened: boolean;
  /** The processor's result: authenticated, attempt_acknowledged, exempted … */
  readonly result: string | null;
  readonly flow: 'frictionless' | 'challenge' | null;
  readonly version: string | null;
  readonly eci: string | null;
  readonly dsTransId: string | null;
  readonly at: Date | null;
};

export type Decline = {
  readonly code: string;
  /** A sentence for the payer and the merchant; never the processor's raw text. */
  readonly description: string;
  readonly retry: RetryAdvice;
  /** The scheme's own code, for support. */
  readonly networkCode: string | null;
};

export type RetryAdvice =
  | 'TRY_AGAIN_LATER'
  | 'CHECK_DETAILS'
  | 'USE_ANOTHER_CARD'
  | 'BRING_CUSTOMER_BACK'
  | 'DO_NOT_TRY_AGAIN';

export type CardRefundOrder = { readonly refundId: string; readonly amountPence: Pence };
export type CardRefundOutcome =
  | {
      readonly kind: 'PENDING' | 'COMPLETED' | 'CANCELLED';
      readonly state: string;
      readonly reference: string;
    }
  | {
      readonly kind: 'FAILED';
      readonly state: string;
      /** Null: the processor never created the refund. */
      readonly reference: string | null;
      readonly code: string;
      readonly description: string;
    }
  | Unknown;

export type CardRefundsOutcome =
  | { readonly kind: 'REFUNDS'; readonly refunds: readonly ProcessorRefund[] }
  /** More than are read of one payment: these are the newest. */
  | {
      readonly kind: 'TOO_MANY';
      readonly readPerPayment: number;
      readonly refunds: readonly ProcessorRefund[];
    }
  | Unknown;

export type ProcessorRefund = {
  readonly reference: string;
  /** As its metadata says: every program may write some. */
  readonly refundId: string | null;
  readonly amountPence: Pence;
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly errorDescription: string | null;
};

export type CardCustomerOrder = {
  readonly customerId: string;
  readonly name?: string;
  readonly email?: string;
};

export type CardCustomerOutcome =
  | { readonly kind: 'CREATED'; readonly customerReference: string }
  | Refusal
  | Unknown;

export type DetachOutcome = { readonly kind: 'DETACHED' } | Refusal | Unknown;
export type DeleteCustomerOutcome = { readonly kind: 'DELETED' } | Refusal | Unknown;

export type CardAccountOutcome =
  | { readonly kind: 'ACCOUNT'; readonly accountKey: string }
  | Refusal
  | Unknown;

/** Of the simulated processor, which all sandbox merchants share. */
export const sharedCardEventsPath = '/api/rails/card-events/sandbox';
