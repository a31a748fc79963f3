import type { BankDataTransaction } from '../../../rails/bank-data-rail.ts';

export const transactionOf = (
  changes: Partial<BankDataTransaction> & { readonly bookedAt: Date },
): BankDataTransaction => ({
  bankTransactionId: null,
  fingerprint: `${changes.bookedAt.toISOString()} ${changes.amount ?? '1.00'}`,
  valueAt: null,
  type: 'DEBIT',
  amount: '1.00',
  currency: 'GBP',
  status: 'BOOKED',
  isMutable: false,
  description: null,
  reference: null,
  merchantName: null,
  category: null,
  payer: null,
  payee: null,
  balance: null,
  ...changes,
});
