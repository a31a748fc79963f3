import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import type {
  TransactionGap,
  TransactionPage,
  TransactionsOutcome,
} from '#rails/bank-data-rail.ts';
import { historyStart } from '../authorisations/start-at-bank.ts';
import { nameTransactions } from './name-transactions.ts';
import type { Session, Stopped } from './open-session.ts';
import type { Claim } from './store/refreshes.ts';
import {
  type AccountToRead,
  finishAccount,
  removeUnlisted,
  storeBalance,
  storeTransactions,
} from './store/store-transactions.ts';
import { transactionToStore } from './transaction-to-store.ts';

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
