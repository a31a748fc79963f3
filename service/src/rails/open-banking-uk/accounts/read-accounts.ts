import { createHash } from 'node:crypto';
import type {
  AccountsOutcome,
  BalanceOutcome,
  NotRead,
  TransactionPage,
  TransactionsOutcome,
  Visitor,
} from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { callBank, payerOf, refusal, unknown } from '../bank/call-bank.ts';
import { chooseBalance, isAccountId, readAccount } from '../messages/read-account.ts';
import { readTransaction } from '../messages/read-transaction.ts';
import { entriesAt, type JsonObject, objectAt, textOf } from '../messages/read-values.ts';
import { classifyAccountAnswer } from './account-access.ts';
import type { AccountState } from './create-account-consent.ts';
import { accountLimits } from './limits.ts';

export const readAccounts = (
  bank: Bank,
  state: AccountState,
  visitor: Visitor,
): Promise<AccountsOutcome> =>
  readShared<AccountsOutcome>(
    bank,
    state,
    { operation: 'read accounts', path: '/accounts', visitor },
    (body) => {
      const entries = entriesAt(body, 'Account', accountLimits.accounts);
      if (!entries) return null;
      const accounts = entries.map(readAccount).filter((account) => account !== null);
      // A list without one readable account is no list.
      if (entries.length > 0 && accounts.length === 0) return null;
      return { kind: 'OK', accounts };
    },
  );

export const readBalance = async (
  bank: Bank,
  state: AccountState,
  accountId: string,
  visitor: Visitor,
): Promise<BalanceOutcome> => {
  const path = accountPath(accountId, 'balances');
  if (!path) return refusal('U011');
  return readShared<BalanceOutcome>(
    bank,
    state,
    { operation: 'read balance', path, visitor },
    (body) => {
      const entries = entriesAt(body, 'Balance', accountLimits.balances);
      if (!entries) return null;
      const balance = chooseBalance(accountId, entries);
      if (!balance && entries.length > 0) return null;
      return { kind: 'OK', balance };
    },
  );
};

/** Null for an id that could name another address. */
const accountPath = (accountId: string, part: string): string | null =>
  isAccountId(accountId) ? `/accounts/${encodeURIComponent(accountId)}/${part}` : null;

/** One page of what the bank lists; the next one only at the bank's own address. */
export const readTransactions = async (
  bank: Bank,
  state: AccountState,
  page: TransactionPage,
  visitor: Visitor,
): Promise<TransactionsOutcome> => {
  const path = accountPath(page.accountId, 'transactions');
  if (!path) return refusal('U011');
  const base = bank.profile.accountsUrl ?? '';
  const listUrl = new URL(`${base}${path}`);
  const cursor = page.cursor === null ? firstPage(listUrl, page) : readCursor(page.cursor, base);
  if (!cursor) return refusal('CURSOR_INVALID');
  const read = { operation: 'read transactions', path: cursor.url, visitor };
  return readShared<TransactionsOutcome>(bank, state, read, (body) => {
    const entries = entriesAt(body, 'Transaction', accountLimits.entriesOfPage);
    if (!entries) return null;
    const found = entries.map((entry) => readTransaction(page.accountId, entry));
    const link = textOf(objectAt(body, 'Links'), 'Next', accountLimits.linkLength);
    const hasLink = objectAt(body, 'Links')?.Next;
    const next = link === undefined ? null : followLink(link, cursor, { base, listUrl });
    const isLost = Boolean(hasLink) && next === null;
    const isUnreadable =
      found.includes('UNREADABLE') || entries.length >= accountLimits.entriesOfPage;
    const gapOfPage = isUnreadable ? ('UNREADABLE_ENTRIES' as const) : null;
    return {
      kind: 'OK',
      transactions: found.filter((each) => typeof each === 'object'),
      nextCursor: next && JSON.stringify(next),
      gap: isLost ? 'NEXT_PAGE_UNUSABLE' : gapOfPage,
    };
  });
};

const firstPage = (listUrl: URL, { from, to }: TransactionPage) => {
  const url = new URL(listUrl);
  url.searchParams.set('fromBookingDateTime', withoutZone(from));
  url.searchParams.set('toBookingDateTime', withoutZone(to));
  return { url: url.href, seen: [] };
};

// The standard wants no zone; a bank that minds takes the time as its own.
const withoutZone = (time: Date): string => time.toISOString().slice(0, 19);

/** The next page, and marks of those that led to it. */
type PageCursor = { readonly url: string; readonly seen: readonly string[] };

type List = { readonly base: string; readonly listUrl: URL };

/**
 * Null for a link that must not be followed. The bank's own host only: a link that names another
 * host, as some gateways write, is read at the bank's if it names this very list.
 */
const followLink = (link: string, from: PageCursor, list: List): PageCursor | null => {
  const url = URL.canParse(link, from.url) ? new URL(link, from.url) : null;
  const own = url && ownAddress(url, list);
  if (!own) return null;
  const seen = [...from.seen, markOf(from.url)];
  if (seen.length >= accountLimits.pages || seen.includes(markOf(own.href))) return null;
  return { url: own.href, seen };
};

const ownAddress = (url: URL, { base, listUrl }: List): URL | null => {
  if (!isUnder(url, base)) {
    if (collapsed(url.pathname) !== listUrl.pathname) return null;
    const own = new URL(listUrl);
    own.search = url.search;
    return own;
  }
  url.hash = '';
  return url;
};

const isUnder = (url: URL, base: string): boolean => {
  const own = new URL(base);
  const hasNoUser = url.username === '' && url.password === '';
  return (
    url.origin === own.origin && hasNoUser && collapsed(url.pathname).startsWith(`${own.pathname}/`)
  );
};

const collapsed = (path: string): string => path.replace(/\/{2,}/g, '/');

const markOf = (url: string): string =>
  createHash('sha256').update(url).digest('base64url').slice(0, 12);

/** Null if this connector did not write it for this bank. */
const readCursor = (text: string, base: string): PageCursor | null => {
  if (text.length > accountLimits.cursorLength) return null;
  try {
    const { url, seen } = JSON.parse(text) as Partial<Record<string, unknown>>;
    const isOurs =
      typeof url === 'string' && URL.canParse(url) && isUnder(new URL(url), base) && isMarks(seen);
    return isOurs ? { url, seen } : null;
  } catch {
    return null;
  }
};

const isMarks = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

type SharedRead = {
  readonly operation: string;
  readonly path: string;
  readonly visitor: Visitor;
};

/** With the customer's token. `read` answers null for a body that lacks what the standard says. */
const readShared = async <Value>(
  bank: Bank,
  state: AccountState,
  shared: SharedRead,
  read: (body: JsonObject) => Value | null,
): Promise<Value | NotRead> => {
  const { tokens } = state;
  if (!tokens) return unknown('This link has no tokens yet.');
  if (bank.tools.clock.now().getTime() >= tokens.accessEndsAt) return { kind: 'TOKEN_ENDED' };
  const { operation, path, visitor } = shared;
  const { interactionId } = state;
  const payer = payerOf(visitor?.address, visitor?.userAgent);
  const call = { api: 'accounts', operation, path, interactionId, ...payer } as const;
  const answer = await callBank(bank, call, tokens.access);
  if (answer.kind === 'NOTHING' || answer.status !== 200)
    return classifyAccountAnswer(bank, state, answer);
  const body = objectAt(answer.body);
  const value = body && objectAt(body, 'Data') ? read(body) : null;
  return value ?? unknown('The answer of the bank is unreadable.');
};
