import type { BankDataAccount, BankDataBalance } from '#rails/bank-data-rail.ts';
import {
  isCurrency,
  type JsonObject,
  listOf,
  numbersOf,
  objectAt,
  plainText,
  readSigned,
  readTime,
  textOf,
  withSign,
} from './read-values.ts';

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

/** An id that could name another address is none. */
export const isAccountId = (text: string): boolean =>
  /^[\x21-\x7e]{1,40}$/.test(text) && !/^\.+$/.test(text);

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

/** What may be spent without borrowing, else what is booked, else any. */
export const chooseBalance = (
  accountId: string,
  entries: readonly unknown[],
): BankDataBalance | null => {
  const found = entries
    .map((entry) => candidateOf(accountId, objectAt(entry)))
    .filter((candidate) => candidate !== null)
    .sort((one, other) => one.rank - other.rank);
  return found[0]?.balance ?? null;
};

const order = ['ITAV', 'ITBD', 'CLAV', 'CLBD', 'OPAV', 'OPBD', 'PRCD', 'XPCD', 'FWAV', 'INFO'];

const candidateOf = (accountId: string, entry: JsonObject | undefined) => {
  const signed = readSigned(entry);
  if (!entry || !signed || (textOf(entry, 'AccountId') ?? accountId) !== accountId) return null;
  const named = textOf(entry, 'Type') ?? '';
  const type = version3Balances[named] ?? named;
  const position = order.indexOf(type);
  const lends = listOf(entry, 'CreditLine').some((line) => objectAt(line)?.Included === true);
  const balance: BankDataBalance = {
    ...withSign(signed),
    balanceType: position < 0 ? null : type,
    at: readTime(textOf(entry, 'DateTime')),
  };
  const rank = (position < 0 ? order.length : position) + (lends ? lendingRank : 0);
  return { balance, rank };
};

// An amount with an overdraft in it comes after every one without.
const lendingRank = 100;

const version3Balances: Readonly<Record<string, string>> = {
  ClosingAvailable: 'CLAV',
  ClosingBooked: 'CLBD',
  ClosingCleared: 'CLBD',
  Expected: 'XPCD',
  ForwardAvailable: 'FWAV',
  Information: 'INFO',
  InterimAvailable: 'ITAV',
  InterimBooked: 'ITBD',
  InterimCleared: 'ITBD',
  OpeningAvailable: 'OPAV',
  OpeningBooked: 'OPBD',
  OpeningCleared: 'OPBD',
  PreviouslyClosedBooked: 'PRCD',
};
