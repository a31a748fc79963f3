import type { moneyFigures } from '@florin/contract/dashboard/index.ts';
import { type Account, accounts } from '#modules/ledger/index.ts';

export type MoneyFigure = (typeof moneyFigures)[number];

export type FigureSource = {
  readonly accounts: readonly Account[];
  /** Null: whatever moves the account, so the figure is its balance. */
  readonly reasons: readonly string[] | null;
  /** -1 where the ledger credits what the figure adds. */
  readonly sign: 1n | -1n;
};

/** What the operator owes a merchant, or what reached it directly: a transfer between them is no figure. */
const owed: readonly Account[] = [
  'MERCHANT_UNSETTLED',
  'MERCHANT_PAYABLE',
  'MERCHANT_PAID_DIRECTLY',
];

const balanceOf = (account: Account, sign: 1n | -1n): FigureSource => ({
  accounts: [account],
  reasons: null,
  sign,
});

/** Each figure of the money page in entries of LEDGER-2 (DESK-1). */
export const figures: Readonly<Record<MoneyFigure, FigureSource>> = {
  SOLD: { accounts: owed, reasons: ['PAYMENT_COMPLETED'], sign: -1n },
  REVERSED: {
    accounts: owed,
    reasons: ['PAYMENT_REVERSED', 'PAYMENT_DISPUTED', 'DISPUTE_WON'],
    sign: 1n,
  },
  REFUNDED: {
    accounts: owed,
    reasons: [
      'REFUND_HANDED_OVER',
      'REFUND_COMPLETED',
      'REFUND_FAILED',
      'REFUND_RETURNED',
      'REFUNDED_AT_PROCESSOR',
      'REFUND_AT_PROCESSOR_FAILED',
    ],
    sign: 1n,
  },
  FEES: { accounts: owed, reasons: ['FEE_CHARGED', 'FEE_RETURNED'], sign: 1n },
  PAID_OUT: balanceOf('STORE_PAID_OUT', 1n),
  DUE_FROM_BANK: balanceOf('DUE_FROM_BANK', 1n),
  PAYABLE: balanceOf('MERCHANT_PAYABLE', -1n),
  IN_PAYOUT: balanceOf('PAYOUTS_IN_TRANSIT', -1n),
  IN_REFUNDS: balanceOf('REFUNDS_IN_TRANSIT', -1n),
  HELD_ON_CARDS: balanceOf('HELD_AT_PROCESSOR', 1n),
};

/** Accounts that a figure reads, in the order of the ledger. */
export const readAccounts: readonly Account[] = accounts.filter((account) =>
  Object.values(figures).some((source) => source.accounts.includes(account)),
);

/** Whether an entry counts for a figure. */
export const countsFor = (
  source: FigureSource,
  { account, reason }: { readonly account: string; readonly reason: string },
): boolean =>
  source.accounts.some((read) => read === account) &&
  (source.reasons === null || source.reasons.includes(reason));
