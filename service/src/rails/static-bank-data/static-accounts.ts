import type { BankDataAccount, BankDataBalance } from '../bank-data-rail.ts';

type StaticAccount = { readonly shown: BankDataAccount; readonly balance: BankDataBalance };

const balance = (amount: string): BankDataBalance => ({
  amount,
  currency: 'GBP',
  balanceType: 'ITAV',
  at: new Date('2026-03-31T22:00:00Z'),
});

/** Sort codes and numbers are published test numbers, which belong to no person. */
export const staticAccounts: readonly StaticAccount[] = [
  {
    shown: {
      accountId: 'mock-current',
      sortCode: '089999',
      accountNumber: '66374958',
      name: 'Mock Customer',
      currency: 'GBP',
      holder: 'PERSONAL',
      accountType: 'CACC',
      isOpen: true,
    },
    balance: balance('3641.33'),
  },
  {
    shown: {
      accountId: 'mock-savings',
      sortCode: '107999',
      accountNumber: '88837491',
      name: 'Mock Customer',
      currency: 'GBP',
      holder: 'PERSONAL',
      accountType: 'SVGS',
      isOpen: true,
    },
    balance: balance('5330.45'),
  },
];
