import type { BankProfile } from '../banks.ts';
import type { Account } from '../ports.ts';

export const holderKind = (account: Account, bank: BankProfile): 'Business' | 'Personal' =>
  bank.kind === 'business' || /business/i.test(account.label) ? 'Business' : 'Personal';

export const isSavings = (account: Account): boolean => !account.mayOverdraw;
