/** What may be said of a card. Plain words: no number, no logo. */
export type CheckoutCard = {
  /** `Visa`, `Mastercard`, `American Express` …; empty where unknown. */
  readonly brand: string;
  readonly lastFourDigits: string;
};

/** A card that this customer saved before and that has not expired. */
export type CheckoutSavedCard = CheckoutCard & {
  readonly cardId: string;
  /** MM/YYYY */
  readonly expiryDate: string;
};

/**
 * Set where this payment may be made by card; filled by the checkout module's card part. Its buttons
 * post to `/pay/start`: paymentRequestId, source, locale, formToken, way=card, with cardId for a saved
 * card, and what `carried` holds.
 */
export type CheckoutCardOffer = {
  readonly formToken: string;
  /** The customer's own, the last used first; expired ones are left out. */
  readonly savedCards: readonly CheckoutSavedCard[];
  /** A new card will be saved; the page says so and for what. Null: it is not kept. */
  readonly saves: 'unscheduled' | 'recurring' | 'installment' | null;
};
