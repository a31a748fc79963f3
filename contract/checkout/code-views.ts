import type { PageFrame } from './views.ts';

export type CodeProblem = 'NOT_AN_AMOUNT' | 'OUT_OF_RANGE';

/** What the page shows that a printed code opens, as data. Amounts are pounds with two decimals. */
export type CodeView = {
  readonly frame: PageFrame;
  readonly token: string;
  /** Of this opening of the page: what is sent twice makes one payment. */
  readonly visit: string;
  readonly formToken: string;
  readonly storeName: string;
  readonly label: string;
  /** Fixed; null: the payer enters it. */
  readonly amount: string | null;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly typed: string;
  readonly problem: CodeProblem | null;
};
