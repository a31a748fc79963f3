/** What a page may show of a card: text only, no number, no logo. */
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
 * Set when this payment can be made by card; filled by the card part of the checkout module. Its
 * buttons post to `/pay/start`: paymentRequestId, source, locale, formToken, way=card, with cardId
 * for a saved card, and everything in `carried`.
 */
export type CheckoutCardOffer = {
  readonly formToken: string;
  /** The customer's own, the last used first; expired ones are left out. */
  readonly savedCards: readonly CheckoutSavedCard[];
  /** A new card will be saved, and the page says for what. Null: it is not saved. */
  readonly saves: 'unscheduled' | 'recurring' | 'installment' | null;
  /** The processor's fields can stand in our page: a form says by `fields` that its script runs. */
  readonly hasFields?: boolean;
  /** Names of the cards and of the wallets that the processor's page takes. */
  readonly brands?: readonly string[];
  readonly wallets?: readonly string[];
  /** Those that a device of this kind has. */
  readonly deviceWallets?: readonly string[];
  /** What the payer's statement calls a payment by card; null: not known. */
  readonly statementName?: string | null;
};

/** The processor's fields, in a frame of its origin: our page has no field for a card. */
export type CheckoutCardFields = {
  readonly scriptUrl: string;
  readonly publicKey: string;
  readonly clientSecret: string;
  /** What the policy of this one page allows besides our own. */
  readonly sources: {
    readonly scripts: readonly string[];
    readonly frames: readonly string[];
    readonly connections: readonly string[];
    readonly pictures: readonly string[];
  };
};
