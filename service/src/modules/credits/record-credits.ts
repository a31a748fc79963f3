import { createHash } from 'node:crypto';
import type { Environment } from '#kernel/environment.ts';
import { outsideText } from '#platform/card-numbers/outside-text.ts';
import type { Uses } from '#platform/tools.ts';
import type { AccountReport, StatementEntry } from '#rails/transfer-rail.ts';
import { insertCredits, isCollectingAccount } from './store/credits.ts';
import { insertDebits } from './store/debits.ts';

/**
 * Stores the credits of an account report, and the debits under an id, which take credits back. What
 * is under the id of an own transfer is that transfer's. False: the report is about another account.
 */
export const recordCredits = async (
  { database }: Uses<'database'>,
  environment: Environment,
  { account, entries }: AccountReport,
  ownIds: ReadonlySet<string>,
): Promise<boolean> => {
  const [found] = await database.system(isCollectingAccount, { environment, ...account });
  if (!found?.is_known) return false;
  const keys = keysOf(entries);
  const booked = entries
    .map((entry, at) => ({ entry, key: keys[at] ?? '' }))
    .filter(({ entry }) => entry.status === 'BOOKED' && !ownIds.has(entry.endToEndId ?? ''));
  const credits = booked.flatMap(({ entry, key }) =>
    entry.direction === 'CREDIT' ? [creditRow(entry, key)] : [],
  );
  const debits = booked.flatMap(({ entry, key }) =>
    entry.direction === 'DEBIT' && entry.endToEndId !== null ? [debitRow(entry, key)] : [],
  );
  // Debits first: a credit that was reversed in the same report needs no case.
  if (debits.length > 0)
    await database.system(insertDebits, { environment, debits: JSON.stringify(debits) });
  if (credits.length > 0)
    await database.system(insertCredits, { environment, credits: JSON.stringify(credits) });
  return true;
};

/**
 * Intraday reports list an entry again and again, and not every bank's references are unique: an
 * entry is known by all that it says, and by how many equal ones stand before it in its report.
 */
const keysOf = (entries: readonly StatementEntry[]): readonly string[] => {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const { entryReference, bookedOn, endToEndId, counterparty, remittance } = entry;
    const said = [
      ...[entry.direction, entry.status, entry.amountPence.toString()],
      ...[entryReference, bookedOn, endToEndId, counterparty, remittance],
    ];
    const digest = createHash('sha256').update(JSON.stringify(said)).digest('hex');
    const ordinal = seen.get(digest) ?? 0;
    seen.set(digest, ordinal + 1);
    return `${digest} ${ordinal}`;
  });
};

const creditRow = (entry: StatementEntry, entryKey: string) => ({
  entry_key: entryKey,
  amount_pence: entry.amountPence.toString(),
  bank_reference: entry.entryReference,
  booked_on: entry.bookedOn,
  end_to_end_id: entry.endToEndId,
  payer_name: entry.counterparty.name,
  // Cleaned here: an entry is known by what the bank wrote.
  remittance: outsideText(entry.remittance),
  is_returned: entry.returned !== null || entry.isReversal,
});

const debitRow = (entry: StatementEntry, entryKey: string) => ({
  entry_key: entryKey,
  amount_pence: entry.amountPence.toString(),
  bank_reference: entry.entryReference,
  booked_on: entry.bookedOn,
  end_to_end_id: entry.endToEndId,
});
