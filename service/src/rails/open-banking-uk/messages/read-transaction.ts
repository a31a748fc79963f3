import { createHash } from 'node:crypto';
import type { BankDataParty, BankDataTransaction } from '#rails/bank-data-rail.ts';
import {
  factText,
  type JsonObject,
  numbersOf,
  objectAt,
  plainText,
  readSigned,
  readTime,
  textOf,
  withSign,
} from './read-values.ts';

/** LEFT_OUT: rejected, or only announced; no money of it is on the account. */
export const readTransaction = (
  accountId: string,
  entry: unknown,
): BankDataTransaction | 'LEFT_OUT' | 'UNREADABLE' => {
  const object = objectAt(entry);
  const status = statuses.get(textOf(object, 'Status') ?? '');
  if (status === 'LEFT_OUT') return status;
  const signed = readSigned(object);
  const bookedAt = readTime(textOf(object, 'BookingDateTime'));
  const isOfAccount = (textOf(object, 'AccountId') ?? accountId) === accountId;
  if (!object || !status || !signed || !bookedAt || !isOfAccount) return 'UNREADABLE';
  const type = signed.isDebit ? 'DEBIT' : 'CREDIT';
  const facts = [accountId, bookedAt.toISOString(), type, signed.amount, signed.currency];
  const id = textOf(object, 'TransactionId');
  const balance = readSigned(objectAt(object, 'Balance'));
  return {
    bankTransactionId: id !== undefined && /^[\x20-\x7e]{1,210}$/.test(id) ? id : null,
    fingerprint: digestOf([
      ...facts,
      factText(object, 'TransactionInformation'),
      factText(object, 'TransactionReference'),
    ]),
    bookedAt,
    valueAt: readTime(textOf(object, 'ValueDateTime')),
    type,
    amount: signed.amount,
    currency: signed.currency,
    status,
    isMutable: status === 'PENDING' || textOf(object, 'TransactionMutability') === 'Mutable',
    description: plainText(object, 'TransactionInformation'),
    reference: plainText(object, 'TransactionReference'),
    merchantName: plainText(objectAt(object, 'MerchantDetails'), 'MerchantName'),
    category: categoryOf(object),
    payer: type === 'CREDIT' ? partyOf(object, 'DebtorAccount') : null,
    payee: type === 'DEBIT' ? partyOf(object, 'CreditorAccount') : null,
    balance: balance && withSign(balance),
  };
};

const statuses = new Map<string, BankDataTransaction['status'] | 'LEFT_OUT'>([
  ['BOOK', 'BOOKED'],
  ['Booked', 'BOOKED'],
  ['PDNG', 'PENDING'],
  ['Pending', 'PENDING'],
  ['RJCT', 'LEFT_OUT'],
  ['Rejected', 'LEFT_OUT'],
  ['INFO', 'LEFT_OUT'],
  ['FUTR', 'LEFT_OUT'],
]);

const digestOf = (facts: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url');

const categoryOf = (object: JsonObject): string | null =>
  plainText(objectAt(object, 'BankTransactionCode'), 'Code') ??
  plainText(objectAt(object, 'ProprietaryBankTransactionCode'), 'Code');

const partyOf = (object: JsonObject, side: string): BankDataParty | null => {
  const account = objectAt(object, side);
  const name = plainText(account, 'Name');
  const numbers = numbersOf(account);
  if (!name && !numbers) return null;
  const { sortCode = null, accountNumber = null } = numbers ?? {};
  return { name, sortCode, accountNumber };
};
