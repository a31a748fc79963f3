import type { Pence } from '#kernel/pence.ts';
import type {
  Authentication,
  CancelReason,
  CaptureMethod,
  CardFacts,
  CardInitiator,
  ExpirySource,
} from '#rails/card-rail.ts';

export const captureTypes = ['AUTO_CAPTURE', 'MANUAL_CAPTURE', 'CAPTURE_BEFORE_EXPIRY'] as const;

export type AttemptCard = {
  /** The account at the processor that it is made with: no other knows it (CARD-20). */
  readonly accountKey: string;
  /** The saved card that is charged or was saved: the wire's paymentMethodId. */
  readonly cardId: string | null;
  readonly captureType: CaptureType;
  readonly initiator: CardInitiator;
  readonly facts: AttemptCardFacts | null;
  readonly authentication: Authentication | null;
  readonly authorisationExpiresBusinessAt: Date | null;
  readonly expirySource: ExpirySource | null;
  /** When it is captured unless the merchant does so before. */
  readonly captureBusinessAt: Date | null;
  readonly cancelledReasonCode: CancelReason | null;
  readonly cancelledReasonDescription: string | null;
  /** The Idempotency-Key of the last capture or cancellation. */
  readonly intentKey: string | null;
  readonly disputes: readonly CardDispute[];
  readonly refunds: readonly CardRefund[];
  /** Refunded by us, and reserved for refunds: both are changed by refunds only. */
  readonly refundedPence: Pence;
  readonly refundReservedPence: Pence;
};

export const captureMethodOf = (captureType: CaptureType): CaptureMethod =>
  captureType === 'AUTO_CAPTURE' ? 'AUTOMATIC' : 'MANUAL';

export const savedCardFacts = (card: AttemptCardFacts): AttemptCardFacts => ({
  brand: card.brand,
  funding: card.funding,
  category: card.category,
  country: card.country,
  lastFourDigits: card.lastFourDigits,
  expiryDate: card.expiryDate,
});

const maxMarginMs = 6 * 60 * 60 * 1000;
const marginShare = 20;

/** Before the end by six hours, or by a twentieth of the lifetime where that is less (CARD-10). */
export const captureTime = (authorisedAt: Date, expiresAt: Date): Date => {
  const lifetimeMs = Math.max(0, expiresAt.getTime() - authorisedAt.getTime());
  return new Date(expiresAt.getTime() - Math.min(maxMarginMs, lifetimeMs / marginShare));
};

export type CaptureType = (typeof captureTypes)[number];

/** What is stored of the used card; its customer is stored with the card itself. */
export type AttemptCardFacts = Pick<
  CardFacts,
  'brand' | 'funding' | 'category' | 'country' | 'lastFourDigits' | 'expiryDate'
>;

/** A customer's bank took the money back, or tried to. */
export type CardDispute = {
  readonly reference: string;
  readonly status: 'OPEN' | 'WON' | 'LOST';
  readonly amountPence: Pence;
  readonly reason: string;
};

/** Money that went back to the card in the processor's own dashboard. */
export type CardRefund = {
  readonly refundId: string;
  /** The processor's id; null where an earlier version knew only a sum. */
  readonly reference: string | null;
  readonly amountPence: Pence;
  readonly refundedAt: Date;
  /** The money came back to the merchant after all. */
  readonly failedAt: Date | null;
  readonly errorDescription: string | null;
};
