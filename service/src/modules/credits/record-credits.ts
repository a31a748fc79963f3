import { createHash } from 'node:crypto';
import type { Environment } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { AccountReport, StatementEntry } from '#rails/transfer-rail.ts';
import { insertCredits, isCollectingAccount } from './store/credits.ts';

/**
 * Stores the credits of an account report, without the money of own transfers, which comes back
 * under their ids. False: the report is about another account.
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
  const credits = entries.flatMap((entry, at) =>
    isIncoming(entry) && !ownIds.has(entry.endToEndId ?? '') ? [rowOf(entry, keys[at] ?? '')] : [],
  );
  if (credits.length > 0)
    await database.system(insertCredits, { environment, credits: JSON.stringify(credits) });
  return true;
};

const isIncoming = ({ direction, status }: StatementEntry): boolean =>
  direction === 'CREDIT' && status === 'BOOKED';

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

const rowOf = (entry: StatementEntry, entryKey: string) => ({
  entry_key: entryKey,
  amount_pence: entry.amountPence.toString(),
  bank_reference: entry.entryReference,
  booked_on: entry.bookedOn,
  end_to_end_id: entry.endToEndId,
  payer_name: entry.counterparty.name,
  remittance: entry.remittance,
  is_returned: entry.returned !== null || entry.isReversal,
});
