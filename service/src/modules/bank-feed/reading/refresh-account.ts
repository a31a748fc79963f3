import { createHash } from 'node:crypto';
import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import type {
  BankDataParty,
  BankDataTransaction,
  SignedAmount,
  TransactionGap,
  TransactionPage,
  TransactionsOutcome,
} from '#rails/bank-data-rail.ts';
import { historyStart } from '../authorisations/start-at-bank.ts';
import type { Session, Stopped } from './open-session.ts';
import type { Claim } from './store/refreshes.ts';
import {
  type AccountToRead,
  finishAccount,
  removeUnlisted,
  type StoredTransaction,
  storeBalance,
  storeTransactions,
} from './store/store-transactions.ts';

type NamedTransaction = {
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
const nameTransactions = () => {
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

/** A transaction of a bank as the table holds it; DEBIT amounts are negative (FEED-4). */
const transactionToStore = ({ id, transaction }: NamedTransaction): StoredTransaction => ({
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

type Tools = Uses<'database' | 'log' | 'clock'>;

const leaseMs = 60_000;
const rowsPerStatement = 1_000;
const dayMs = 24 * 60 * 60 * 1000;
/** Banks book late and backdate: what changed is read with some days before it. */
const overlapMs = 10 * dayMs;
/** As far back as a bank shows transactions long after the login. */
const recentMs = 89 * dayMs;

/** Balance and transactions of one account, every page, stored page by page. */
export const refreshAccount = async (
  tools: Tools,
  session: Session,
  claim: Claim,
  account: AccountToRead,
  { now, isRetry }: Round,
): Promise<Stopped | null> => {
  const seenAt = tools.clock.now();
  if (isRetry && isReadAlready(account, seenAt)) return null;
  const balance = await session.read((rail, state) =>
    rail.readBalance(state, account.reference, null),
  );
  if (balance.kind !== 'OK') return balance;
  const [stored] = await tools.database.tenant(claim.merchantId, storeBalance, {
    ...claim,
    accountId: account.account_id,
    seenAt,
    balance: balance.balance?.amount ?? null,
    balanceCurrency: balance.balance?.currency ?? null,
  });
  // A newer reading under another consent has begun: it is the one that counts.
  return stored ? readHistory(tools, session, { claim, account, seenAt, now }) : null;
};

export type Round = {
  /** The tenant's time. */
  readonly now: Date;
  /** The last round failed: it may have read some accounts before it did. */
  readonly isRetry: boolean;
};

const isReadAlready = ({ refreshed_at: refreshedAt }: AccountToRead, now: Date): boolean =>
  refreshedAt !== null && now.getTime() - refreshedAt.getTime() < limits.bankRefreshMs / 2;

type Reading = {
  readonly claim: Claim;
  readonly account: AccountToRead;
  /** The start of this refresh: what is listed carries it. */
  readonly seenAt: Date;
  /** The tenant's time. */
  readonly now: Date;
};

/** Long after the login a bank may show only the last 90 days, and demand a login for more. */
const readHistory = async (
  tools: Tools,
  session: Session,
  reading: Reading,
): Promise<Stopped | null> => {
  const { now } = reading;
  const changesFrom = reading.account.changes_from;
  // A time in the future is of an earlier version, and was read up to an unknown one.
  const from =
    changesFrom && changesFrom <= now
      ? new Date(changesFrom.getTime() - overlapMs)
      : historyStart(tools.clock.now());
  const to = new Date(now.getTime() + dayMs);
  const stopped = await readPages(tools, session, reading, { from, to });
  const recent = new Date(now.getTime() - recentMs);
  const isLoginWanted =
    stopped?.kind === 'CONSENT_ENDED' && stopped.reason === 'REAUTHENTICATION_NEEDED';
  if (!isLoginWanted || from >= recent) return stopped;
  return readPages(tools, session, reading, { from: recent, to });
};

const readPages = async (
  tools: Tools,
  session: Session,
  reading: Reading,
  range: { readonly from: Date; readonly to: Date },
): Promise<Stopped | null> => {
  const name = nameTransactions();
  let cursor: string | null = null;
  const gaps = new Set<TransactionGap>();
  for (let pages = 0; pages === 0 || cursor !== null; pages += 1) {
    if (pages === limits.bankPagesPerRefresh) {
      gaps.add('NEXT_PAGE_UNUSABLE');
      break;
    }
    const wanted: TransactionPage = { accountId: reading.account.reference, ...range, cursor };
    const answer: TransactionsOutcome | Stopped = await session.read((rail, state) =>
      rail.readTransactions(state, wanted, null),
    );
    if (answer.kind !== 'OK') return answer as Stopped;
    if (answer.gap) gaps.add(answer.gap);
    const rows = name(answer.transactions).map(transactionToStore);
    const stored = await storeRows(tools, reading, rows);
    if (stored !== 'STORED') return notStored[stored];
    cursor = answer.nextCursor;
  }
  await endReading(tools, reading, range.from, gaps);
  return null;
};

const endReading = async (
  { database, log }: Tools,
  { claim, account, seenAt, now }: Reading,
  from: Date,
  gaps: ReadonlySet<TransactionGap>,
): Promise<void> => {
  const isToTheEnd = !gaps.has('NEXT_PAGE_UNUSABLE');
  if (gaps.size > 0)
    log.warn({ accountId: account.account_id }, 'a bank did not list all transactions');
  const key = { ...claim, accountId: account.account_id, seenAt };
  // What cannot be read is no listing: if it was a PENDING entry, its row comes back once it can.
  if (isToTheEnd) await database.tenant(claim.merchantId, removeUnlisted, { ...key, from });
  await database.tenant(claim.merchantId, finishAccount, { ...key, now, isToTheEnd });
};

const claimLost: Stopped = { kind: 'UNKNOWN', description: 'The claim is lost.' };
const notStored = { LOST: claimLost, OLDER: null } as const;

/**
 * LOST: another worker reads this authorisation now, or it has ended. OLDER: a newer reading of the account
 * has begun under another consent.
 */
const storeRows = async (
  { database }: Tools,
  { claim, account, seenAt }: Reading,
  rows: readonly ReturnType<typeof transactionToStore>[],
): Promise<'STORED' | 'LOST' | 'OLDER'> => {
  // One row of an id in a statement; of two the bank's later word counts.
  const unique = [...new Map(rows.map((row) => [row.transaction_id, row])).values()];
  for (let at = 0; at === 0 || at < unique.length; at += rowsPerStatement) {
    const [stored] = await database.tenant(claim.merchantId, storeTransactions, {
      ...claim,
      accountId: account.account_id,
      rows: JSON.stringify(unique.slice(at, at + rowsPerStatement)),
      seenAt,
      leaseMs,
    });
    if (!stored) return 'LOST';
    if (!stored.is_newest) return 'OLDER';
  }
  return 'STORED';
};
