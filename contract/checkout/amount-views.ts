/** What the payer typed into the amount step, named as in its form and all later addresses. */
export type CheckoutAmountFields = {
  /** `none`, `0`…`2` for a quick choice, `custom`; empty: not chosen yet. */
  readonly tip: string;
  readonly customTip: string;
  /** `rest`, `equal`, `custom`; empty: not chosen yet. */
  readonly share: string;
  readonly paysFor: string;
  readonly people: string;
  readonly shareAmount: string;
};

/** The state of the bill on every page of a split bill. */
export type CheckoutSplit = {
  readonly billAmount: string;
  readonly paidAmount: string;
  /** Held for other payers who are at their bank or card page. */
  readonly heldAmount: string;
  /** What this payer can still pay. */
  readonly leftAmount: string;
  /** Payments that make up `paidAmount`. */
  readonly payments: number;
};

export type CheckoutTips = {
  readonly options: readonly {
    /** Null for a tip of a fixed amount. */
    readonly percent: number | null;
    /** On a split bill, of all that is left. */
    readonly amount: string | null;
  }[];
  readonly allowsCustom: boolean;
};

/** Why a choice was refused; the page has the text. `amount` is in pounds. */
export type CheckoutAmountProblem = {
  readonly field: 'share' | 'people' | 'shareAmount' | 'tip' | 'customTip';
  readonly code:
    | 'CHOOSE_SHARE'
    | 'NOT_AN_AMOUNT'
    | 'NOT_PEOPLE'
    | 'MORE_THAN_LEFT'
    | 'LEAVES_TOO_LITTLE'
    | 'TOO_SMALL'
    | 'CHOOSE_TIP'
    | 'TIP_NOT_AN_AMOUNT'
    | 'TIP_TOO_HIGH'
    /** The agreed amount has changed: another payer paid, or the tips changed. */
    | 'CHANGED';
  readonly amount: string | null;
};
