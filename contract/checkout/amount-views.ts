/** What the payer typed into the amount step, as its form and every later address name it. */
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

/** What every page of a split bill says of the bill. */
export type CheckoutSplit = {
  readonly billAmount: string;
  readonly paidAmount: string;
  /** Held for other payers who are at their bank or card page. */
  readonly heldAmount: string;
  /** What this payer can still take. */
  readonly leftAmount: string;
  /** Payments that make up `paidAmount`. */
  readonly payments: number;
};

export type CheckoutTips = {
  readonly options: readonly {
    /** Null where the tip is a fixed amount. */
    readonly percent: number | null;
    /** Null where it depends on a share that is not chosen yet. */
    readonly amount: string | null;
  }[];
  readonly allowsCustom: boolean;
};

/** Why a choice could not be taken; the page has the words. `amount` is pounds, where one is named. */
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
    /** What the payer had agreed to is another amount now: somebody paid, or the tips changed. */
    | 'CHANGED';
  readonly amount: string | null;
};
