import { limits } from '@florin/contract';
import type { BankDataParty, SignedAmount } from '#rails/bank-data-rail.ts';
import type { NamedTransaction } from './name-transactions.ts';
import type { StoredTransaction } from './store/store-transactions.ts';

/** A transaction of a bank as the table holds it; DEBIT amounts are negative (FEED-4). */
export const transactionToStore = ({ id, transaction }: NamedTransaction): StoredTransaction => ({
  transaction_id: plain(id) ?? id,
  booked_at: transaction.bookedAt,
  type: transaction.type,
  status: transaction.status,
  is_mutable: transaction.isMutable,
  amount: signed(transaction.amount, transaction.type),
  currency: plain(transaction.currency) ?? '',
  description: plain(transaction.description),
  reference: plain(transaction.reference),
  merchant_name: plain(transaction.merchantName),
  category: plain(transaction.category),
  payer: partyOf(transaction.payer),
  payee: partyOf(transaction.payee),
  ...balanceOf(transaction.balance),
});

const signed = (amount: string, type: 'CREDIT' | 'DEBIT'): string =>
  type === 'DEBIT' ? `-${amount}` : amount;

const partyOf = (party: BankDataParty | null) =>
  party && {
    name: plain(party.name),
    sortCode: plain(party.sortCode),
    accountNumber: plain(party.accountNumber),
  };

const balanceOf = (balance: SignedAmount | null) => ({
  balance: balance?.amount ?? null,
  balance_currency: balance?.currency ?? null,
});

/** Texts that the database takes: no NUL, no half of a character, no endless one. */
const plain = (text: string | null): string | null =>
  text === null
    ? null
    : Buffer.from(text.slice(0, limits.bankTextLength).replaceAll('\0', '')).toString('utf8');
