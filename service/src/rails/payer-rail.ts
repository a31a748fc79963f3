import type { BankAccount, ReturnParameters } from './bank-rail.ts';

/** The port to a payer without a browser: the sandbox driver's hands. */
export type PayerRail = {
  /** Signs in, approves or declines, and answers the parameters of the bank's return. */
  readonly visitBank: (
    authorisationUrl: string,
    behaviour: PayerBehaviour,
    /** The holder of just this account; only who approves has one. */
    account?: Omit<BankAccount, 'name'>,
  ) => Promise<ReturnParameters>;
  /** On the processor's page, or directly at a challenge: types or picks a card and continues. */
  readonly payByCard: (address: string, card: PayerCard) => Promise<CardVisit>;
};

/** How a simulated payer behaves at the bank; each is a login name of the simulator. */
export type PayerBehaviour =
  | 'approve'
  | 'insufficient-funds'
  | 'decline'
  | 'bank-error'
  | 'pending-forever';

export type PayerCard = {
  /** A test number; it is written nowhere, not even into an error. */
  readonly cardNumber?: string;
  /** The processor's id of a saved card that the page offers. */
  readonly savedCard?: string;
  readonly challenge?: CardChallenge;
};

export type CardChallenge = 'APPROVE' | 'DECLINE' | 'ABANDON';

export type CardVisit =
  /** The browser is back; its return proves nothing. */
  | { readonly kind: 'RETURNED'; readonly url: string }
  /** The page accepts another card: this one was declined or is not in the table. */
  | { readonly kind: 'DECLINED' }
  /** The page was paid, or it ended, before the card was entered. */
  | { readonly kind: 'CLOSED' }
  /** The payer left during the challenge. */
  | { readonly kind: 'ABANDONED' };
