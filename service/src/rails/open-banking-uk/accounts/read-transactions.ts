import type { TransactionPage, TransactionsOutcome, Visitor } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { refusal } from '../bank/classify-refusal.ts';
import { entriesAt, objectAt, textOf } from '../messages/read-json.ts';
import { readTransaction } from '../messages/read-transaction.ts';
import { accountLimits } from './account-limits.ts';
import { accountPath } from './account-path.ts';
import type { AccountState } from './account-state.ts';
import { followLink, readCursor, writeCursor } from './page-cursor.ts';
import { readShared } from './read-shared.ts';

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
      nextCursor: next && writeCursor(next),
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
