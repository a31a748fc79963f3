import type { BankDataAccount } from '#rails/bank-data-rail.ts';
import { isAccountId } from '../accounts/account-path.ts';
import { listOf, objectAt, textOf } from './read-json.ts';
import { isCurrency, numbersOf, plainText } from './read-values.ts';

/** Of both versions; null without what every account has. */
export const readAccount = (entry: unknown): BankDataAccount | null => {
  const account = objectAt(entry);
  const accountId = textOf(account, 'AccountId');
  const currency = textOf(account, 'Currency') ?? 'GBP';
  if (!accountId || !isAccountId(accountId) || !isCurrency(currency)) return null;
  const identified = listOf(account, 'Account').map((each) => objectAt(each));
  const numbers = identified.map(numbersOf).find((each) => each !== null);
  const named = identified.map((each) => plainText(each, 'Name')).find((name) => name !== null);
  const holder = (
    textOf(account, 'AccountCategory') ?? textOf(account, 'AccountType')
  )?.toUpperCase();
  const subType = textOf(account, 'AccountTypeCode') ?? textOf(account, 'AccountSubType');
  return {
    accountId,
    sortCode: numbers?.sortCode ?? null,
    accountNumber: numbers?.accountNumber ?? null,
    name: named ?? plainText(account, 'Nickname') ?? plainText(account, 'Description'),
    currency,
    holder: holder === 'PERSONAL' || holder === 'BUSINESS' ? holder : null,
    accountType: typeOf(subType),
    isOpen: !closed.has(textOf(account, 'Status') ?? ''),
  };
};

const closed = new Set(['Deleted', 'Disabled']);

const typeOf = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  return version3Types[text] ?? (/^[A-Z]{4}$/.test(text) ? text : null);
};

const version3Types: Readonly<Record<string, string>> = {
  ChargeCard: 'CARD',
  CreditCard: 'CARD',
  CurrentAccount: 'CACC',
  EMoney: 'WALT',
  Loan: 'LOAN',
  Mortgage: 'MORT',
  PrePaidCard: 'CPAC',
  Savings: 'SVGS',
  Wallet: 'WALT',
};
