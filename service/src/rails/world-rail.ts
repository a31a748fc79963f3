/** Something that the simulated world keeps a clock for: a consent at a bank, a payment of a card. */
export type WorldReference = {
  readonly kind: 'BANK_CONSENT' | 'CARD_PAYMENT';
  /** The world's own id of it. */
  readonly id: string;
};

/** What the world says of one of its payments now, and in how long it will say something else. */
export type WorldOutlook = {
  readonly id: string;
  readonly status: string;
  /** Null: never. */
  readonly changesInMs: number | null;
};

/**
 * The port to the simulated world as such. It knows no merchants, so it is told which of its things age
 * when a sandbox merchant's clock is moved (TIME-1).
 */
export type WorldRail = {
  /** Throws where the world cannot be reached; does nothing where there is none. */
  readonly advance: (references: readonly WorldReference[], milliseconds: number) => Promise<void>;
  /** Of payments at banks; nothing of what it does not know. */
  readonly outlook: (references: readonly WorldReference[]) => Promise<readonly WorldOutlook[]>;
};
