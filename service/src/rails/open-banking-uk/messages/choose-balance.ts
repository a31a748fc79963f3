import type { BankDataBalance } from '#rails/bank-data-rail.ts';
import { type JsonObject, listOf, objectAt, textOf } from './read-json.ts';
import { readTime } from './read-time.ts';
import { readSigned } from './read-values.ts';

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
  const type = version3Types[named] ?? named;
  const position = order.indexOf(type);
  const lends = listOf(entry, 'CreditLine').some((line) => objectAt(line)?.Included === true);
  const sign = signed.isDebit && /[1-9]/.test(signed.amount) ? '-' : '';
  const balance: BankDataBalance = {
    amount: `${sign}${signed.amount}`,
    currency: signed.currency,
    balanceType: position < 0 ? null : type,
    at: readTime(textOf(entry, 'DateTime')),
  };
  const rank = (position < 0 ? order.length : position) + (lends ? lendingRank : 0);
  return { balance, rank };
};

// An amount with an overdraft in it comes after every one without.
const lendingRank = 100;

const version3Types: Readonly<Record<string, string>> = {
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
