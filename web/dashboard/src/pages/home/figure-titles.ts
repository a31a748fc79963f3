import type { moneyFigures } from '@florin/contract/dashboard/index.ts';

export type MoneyFigure = (typeof moneyFigures)[number];

export const figureTitles: Readonly<Record<MoneyFigure, string>> = {
  SOLD: 'Sold',
  REVERSED: 'Taken back',
  REFUNDED: 'Refunded',
  FEES: 'Fees',
  PAID_OUT: 'Paid out',
  DUE_FROM_BANK: 'Due from banks',
  PAYABLE: 'For the next payout',
  IN_PAYOUT: 'In a payout',
  IN_REFUNDS: 'In refunds',
  HELD_ON_CARDS: 'Held on cards',
  WAITING: 'Waiting for a payout',
  PAID_DIRECTLY: 'Paid to you directly',
  HELD_FOR_CASES: 'Held until the operator decides',
};
