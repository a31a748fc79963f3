import type { Unknown } from './bank-rail.ts';

/** What a notice of the card processor says: nothing but what to read. */
export type CardEvent =
  | {
      /** What to read back, server to server. */
      readonly kind: 'PAYMENT' | 'SESSION' | 'REFUND' | 'DISPUTE';
      readonly eventId: string;
      readonly reference: string;
      /** Our metadata of the order; null when the processor does not repeat it. */
      readonly attemptId: string | null;
      readonly refundId: string | null;
      readonly paymentReference: string | null;
    }
  /** Genuine, but nothing that changes anything here. */
  | { readonly kind: 'UNUSED'; readonly eventId: string }
  /** Not from the processor, too old, or of the other environment. */
  | { readonly kind: 'INVALID'; readonly description: string };

export type CardEventsOutcome =
  | {
      readonly kind: 'EVENTS';
      readonly events: readonly CardEvent[];
      /** Payments that hold money or have taken it, by the processor's ids. */
      readonly paid: ReadonlySet<string>;
      /** False: there are more than are read; these are the newest. */
      readonly isComplete: boolean;
    }
  | Unknown;
