import type { Refusal, Unknown } from './bank-rail.ts';

/** What its page takes: cards, and wallets of a payer's device. */
export type CardsAccepted = {
  readonly brands: readonly string[];
  readonly wallets: readonly string[];
  /** What the payer's statement calls a payment; null: not known. */
  readonly statementName: string | null;
};

/** Fields of the processor, in a frame of its origin. What they need is no secret to their payer. */
export type CardFields = {
  readonly scriptUrl: string;
  /** Names the account. */
  readonly publicKey: string;
  readonly clientSecret: string;
  /** What its script loads, for the content security policy of the page that has it. */
  readonly sources: {
    readonly scripts: readonly string[];
    readonly frames: readonly string[];
    readonly connections: readonly string[];
    readonly pictures: readonly string[];
  };
};

export type SessionOutcome =
  | {
      readonly kind: 'OPENED';
      readonly url: string;
      /** The processor's id of the session. */
      readonly reference: string;
      readonly state: string;
    }
  /** Its fields stand in our page. */
  | { readonly kind: 'FIELDS_OPENED'; readonly reference: string; readonly state: string }
  | Refusal
  /** The page has no payer: the attempt may be started again or abandoned. */
  | Unknown;
