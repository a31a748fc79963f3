import fc from 'fast-check';

/** What the bank books on the account of one environment, true or mistaken. */
export type Booking = {
  readonly kind: 'BOOK';
  /** Under its id; a stray one is under none. */
  readonly subject: 'PAYMENT' | 'REFUND' | 'STRAY';
  readonly what: 'CREDIT' | 'DEBIT' | 'RETURN';
  readonly isOtherAmount: boolean;
  /** The other amount is more; left out: less. */
  readonly isMore?: boolean;
  /** On the account of the other environment. */
  readonly isElsewhere: boolean;
  readonly hasReference: boolean;
};

export type ReportStep =
  | Booking
  /** Intraday: all entries so far. Notification: those that none has named. */
  | {
      readonly kind: 'REPORT';
      readonly list: 'INTRADAY' | 'NOTIFICATION';
      readonly copies: 1 | 2;
      readonly isLate: boolean;
    }
  /** The bank of the payer reaches the next status, and is polled. */
  | { readonly kind: 'PAYMENT_STATUS' }
  | {
      readonly kind: 'TRANSFER_STATUS';
      readonly stage: 'IN_PROGRESS' | 'SETTLED' | 'REJECTED';
      readonly isLate: boolean;
    }
  | { readonly kind: 'REFUND' }
  | { readonly kind: 'WORK' };

export type Story = {
  readonly script: readonly string[];
  readonly steps: readonly ReportStep[];
  /** The account is read to its end before its payer's bank reports to its end. */
  readonly readsFirst: boolean;
};

const seldom = fc.nat(7).map((drawn) => drawn === 0);

const booking: fc.Arbitrary<ReportStep> = fc.record({
  kind: fc.constant('BOOK' as const),
  subject: fc.constantFrom('PAYMENT', 'PAYMENT', 'REFUND', 'STRAY'),
  what: fc.constantFrom('CREDIT', 'CREDIT', 'DEBIT', 'DEBIT', 'RETURN'),
  isOtherAmount: seldom,
  isMore: fc.boolean(),
  isElsewhere: seldom,
  hasReference: fc.boolean(),
});

const report: fc.Arbitrary<ReportStep> = fc.record({
  kind: fc.constant('REPORT' as const),
  list: fc.constantFrom('INTRADAY', 'NOTIFICATION'),
  copies: fc.constantFrom(1, 2),
  isLate: seldom,
});

const transferStatus: fc.Arbitrary<ReportStep> = fc.record({
  kind: fc.constant('TRANSFER_STATUS' as const),
  stage: fc.constantFrom('IN_PROGRESS', 'SETTLED', 'REJECTED'),
  isLate: seldom,
});

const scripts = [
  ['ACSP', 'ACSC'],
  ['ACSC'],
  ['ACSP'],
  ['ACSC', 'RJCT'],
  ['ACSP', 'RJCT'],
  ['PDNG', 'ACSP', 'ACSC'],
] as const;

/** Reports of a payment, a refund and what else moves on the account, in any order. */
export const stories: fc.Arbitrary<Story> = fc.record({
  script: fc.constantFrom<readonly string[]>(...scripts),
  readsFirst: fc.boolean(),
  steps: fc.array(
    fc.oneof(
      { weight: 5, arbitrary: booking },
      { weight: 4, arbitrary: report },
      { weight: 2, arbitrary: fc.constant<ReportStep>({ kind: 'PAYMENT_STATUS' }) },
      { weight: 2, arbitrary: transferStatus },
      { weight: 2, arbitrary: fc.constant<ReportStep>({ kind: 'REFUND' }) },
      { weight: 4, arbitrary: fc.constant<ReportStep>({ kind: 'WORK' }) },
    ),
    { minLength: 4, maxLength: 18 },
  ),
});
