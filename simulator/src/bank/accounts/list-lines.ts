import type { Bank } from '../bank.ts';
import type { Account } from '../ports.ts';
import { accountStatement } from './account-statement.ts';
import type { AccountConsent, StatementLine } from './model.ts';
import { mustLogIn } from './open-shared-accounts.ts';

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
