/**
 * The port to the simulator's control calls. The simulator has no merchants: a caller names the
 * items.
 */
export type SimulatorRail = {
  /** Moves the clocks of these items. Throws when the simulator cannot be reached; no-op without one. */
  readonly advance: (
    references: readonly SimulatorReference[],
    milliseconds: number,
  ) => Promise<void>;
  /** For payments at banks; leaves out what the simulator does not have. */
  readonly forecast: (
    references: readonly SimulatorReference[],
  ) => Promise<readonly PaymentForecast[]>;
};

/**
 * An item with a clock of its own in the simulator: a bank's consent, a card payment, a transfer, or who
 * orders transfers: the statements of those who are credited are on that clock.
 */
export type SimulatorReference = {
  readonly kind: 'BANK_CONSENT' | 'CARD_PAYMENT' | 'TRANSFER' | 'ORDERING_PARTY';
  /** The simulator's id of it. */
  readonly id: string;
};

/** The status of a payment in the simulator now, and the time until it changes. */
export type PaymentForecast = {
  readonly id: string;
  readonly status: string;
  /** Null: never. */
  readonly changesInMs: number | null;
};
