/** Something that the simulated world keeps a clock for: a consent at a bank, a payment of a card. */
export type WorldReference = {
  readonly kind: 'BANK_CONSENT' | 'CARD_PAYMENT';
  /** The world's own id of it. */
  readonly id: string;
};

/**
 * The port to the simulated world as such. It knows no merchants, so it is told which of its things age
 * when a sandbox merchant's clock is moved (decision 39).
 */
export type WorldRail = {
  /** Throws where the world cannot be reached; does nothing where there is none. */
  readonly advance: (references: readonly WorldReference[], milliseconds: number) => Promise<void>;
};
