import type { Bank } from '../bank.ts';
import type { BankProfile } from '../banks.ts';
import type { Account, AccountConsent, Movement } from '../model.ts';
import { mustLogIn } from './account-consents.ts';
import { generatedHistory } from './generated-history.ts';
import type { Entry, HistoryEntry, StatementLine } from './statement-line.ts';

// The one bank whose statements never change: they end on this day, whatever the date.
const staticEnd = Date.UTC(2026, 9, 31, 12);

const remembered = new Map<string, readonly HistoryEntry[]>();
const rememberedAccounts = 16;

// Oldest first. The opening balance is what the account holds once its history has ended.
export const accountStatement = (
  bank: Pick<BankProfile, 'statement'>,
  account: Account,
  movements: readonly Movement[],
  now: number,
): readonly StatementLine[] => {
  const { isStatic } = bank.statement;
  const endsAt = isStatic ? staticEnd : account.openedAt;
  const seenAt = isStatic ? staticEnd : now;
  const history = historyOf(account, endsAt);
  const lines = [
    ...history
      .filter((entry) => entry.at <= seenAt)
      .map((entry) => ({ ...entry, isBooked: entry.bookedAt <= seenAt })),
    ...(isStatic ? [] : movements.map(lineOf)),
  ];
  let balancePence = account.openingPence - sumOf(history);
  const booked = lines.filter((line) => line.isBooked).sort((one, other) => one.at - other.at);
  const pending = lines.filter((line) => !line.isBooked);
  return [
    ...booked.map((line): StatementLine => {
      balancePence += signed(line);
      return { ...line, balancePence };
    }),
    ...pending.map((line): StatementLine => ({ ...line, balancePence: undefined })),
  ];
};

export type Standing = { readonly bookedPence: bigint; readonly availablePence: bigint };

export const standingOf = (account: Account, lines: readonly StatementLine[]): Standing => {
  const last = lines.filter((each) => each.isBooked).at(-1);
  const bookedPence = last?.balancePence ?? account.openingPence;
  const pending = lines.filter((each) => !each.isBooked && each.direction === 'DBIT');
  return { bookedPence, availablePence: bookedPence + sumOf(pending) };
};

const historyOf = (account: Account, endsAt: number): readonly HistoryEntry[] => {
  const key = `${account.bankId} ${account.id} ${endsAt}`;
  const known = remembered.get(key);
  if (known) return known;
  const history = generatedHistory(account, endsAt);
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size >= rememberedAccounts) remembered.delete(oldest);
  remembered.set(key, history);
  return history;
};

const signed = ({ direction, amountPence }: Pick<Entry, 'direction' | 'amountPence'>): bigint =>
  direction === 'CRDT' ? amountPence : -amountPence;

const sumOf = (entries: readonly Pick<Entry, 'direction' | 'amountPence'>[]): bigint =>
  entries.reduce((sum, entry) => sum + signed(entry), 0n);

const movedKinds = { CRDT: 'received', DBIT: 'sent' } as const;

const lineOf = (movement: Movement) => {
  const { id, at, isBooked, direction, amountPence, reference, counterparty } = movement;
  const isBack = movement.kind === 'return' || movement.kind === 'reversal';
  return {
    ...{ at, isBooked, direction, amountPence, counterparty },
    id: `entry-${id}`,
    kind: isBack ? ('return' as const) : movedKinds[direction],
    information: `${isBack ? 'RETURNED ' : ''}${counterparty.name}`.trim() || 'TRANSFER',
    reference: reference || undefined,
    merchantName: undefined,
  } satisfies Entry & { isBooked: boolean };
};

const dayMs = 86_400_000;
const freshLoginMs = 3_600_000;

export type LineQuery = {
  readonly from: number | undefined;
  readonly to: number | undefined;
};

// Newest first, as far as consent and query reach.
export const listLines = async (
  bank: Pick<Bank, 'profile' | 'tools'>,
  consent: AccountConsent,
  account: Account,
  query: LineQuery,
): Promise<readonly StatementLine[]> => {
  const { store, clock } = bank.tools;
  const now = clock.now() + consent.clockOffsetMs;
  refuseOldLines(bank, consent, query, now);
  const movements = await store.movementsOf(account, now);
  const lines = accountStatement(bank.profile, account, movements, now);
  const from = Math.max(query.from ?? 0, consent.transactionsFrom ?? 0);
  const to = Math.min(query.to ?? Infinity, consent.transactionsTo ?? Infinity);
  const sides = sidesOf(consent);
  return lines
    .filter((each) => each.at >= from && each.at <= to && sides.has(each.direction))
    .reverse();
};

const sidesOf = ({ permissions }: AccountConsent): ReadonlySet<StatementLine['direction']> =>
  new Set([
    ...(permissions.includes('ReadTransactionsCredits') ? (['CRDT'] as const) : []),
    ...(permissions.includes('ReadTransactionsDebits') ? (['DBIT'] as const) : []),
  ]);

const refuseOldLines = (
  { profile }: Pick<Bank, 'profile'>,
  consent: AccountConsent,
  query: LineQuery,
  now: number,
): void => {
  const days = profile.statement.daysWithoutLogin;
  if (days === undefined || now - consent.statusUpdatedAt < freshLoginMs) return;
  // A day of grace, as clients count days in a zone of their own.
  if ((query.from ?? 0) < now - (days + 1) * dayMs) throw mustLogIn();
};
