import { createHash } from 'node:crypto';
import type { BankDataTransaction } from '#rails/bank-data-rail.ts';

export type NamedTransaction = {
  readonly id: string;
  readonly transaction: BankDataTransaction;
};

/**
 * Gives each transaction of an account an id that is the same in every read: the bank's own, else one made
 * of what it says and of its position among equal ones. Pages are named in their order.
 *
 * A page may begin with what the page before ended with. Without ids two such entries may be one that is
 * listed twice, or two that are equal: they are one when the run of entries repeats and no balance
 * says otherwise.
 */
export const nameTransactions = () => {
  const counts = new Map<string, number>();
  let before: readonly BankDataTransaction[] = [];
  return (page: readonly BankDataTransaction[]): readonly NamedTransaction[] => {
    const fresh = page.slice(overlapOf(before, page));
    before = page.length > 0 ? page : before;
    return fresh.map((transaction) => {
      const { bankTransactionId, fingerprint } = transaction;
      if (bankTransactionId !== null) return { id: bankTransactionId, transaction };
      const position = counts.get(fingerprint) ?? 0;
      counts.set(fingerprint, position + 1);
      return { id: hashed(`${fingerprint}|${position}`), transaction };
    });
  };
};

const hashed = (text: string): string =>
  `h-${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;

/** How many entries the page repeats of the end of the one before. */
const overlapOf = (
  before: readonly BankDataTransaction[],
  page: readonly BankDataTransaction[],
): number => {
  for (let length = Math.min(before.length, page.length); length > 0; length -= 1) {
    const end = before.slice(before.length - length);
    if (end.every((each, at) => isSame(each, page[at]))) return length;
  }
  return 0;
};

const isSame = (one: BankDataTransaction, other: BankDataTransaction | undefined): boolean =>
  other !== undefined &&
  one.bankTransactionId === other.bankTransactionId &&
  one.fingerprint === other.fingerprint &&
  one.balance?.amount === other.balance?.amount;
