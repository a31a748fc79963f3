import { createHash } from 'node:crypto';
import type { Environment } from '#kernel/environment.ts';
import { outsideText } from '#platform/card-numbers/mask-card-numbers.ts';
import type { Uses } from '#platform/tools.ts';
import type { AccountReport, StatementEntry } from '#rails/transfer-rail.ts';
import { mentionBookings } from './store/booking-mentions.ts';
import { insertEntries, isCollectingAccount } from './store/credits.ts';

/**
 * Stores the credits and debits of an account report; a debit may take a credit back. Not those of
 * `own` transfers. False: the report is about another account.
 */
export const recordCredits = async (
  { database }: Uses<'database'>,
  environment: Environment,
  report: AccountReport,
  own: ReadonlySet<StatementEntry>,
): Promise<boolean> => {
  const { account, entries } = report;
  const [found] = await database.system(isCollectingAccount, { environment, ...account });
  if (!found?.is_known) return false;
  const keys = await keysOf({ database }, environment, report);
  const booked = entries
    .map((entry, at) => ({ entry, key: keys[at] ?? '' }))
    .filter(({ entry }) => entry.status === 'BOOKED' && !own.has(entry));
  const credits = booked.flatMap(({ entry, key }) =>
    entry.direction === 'CREDIT' ? [creditRow(entry, key)] : [],
  );
  const debits = booked.flatMap(({ entry, key }) =>
    entry.direction === 'DEBIT' ? [debitRow(entry, key)] : [],
  );
  if (booked.length > 0)
    await database.system(insertEntries, {
      environment,
      credits: JSON.stringify(credits),
      debits: JSON.stringify(debits),
    });
  return true;
};

/**
 * Not every bank's references are unique: an entry is known by all that it says, and by how many equal ones
 * stand before it in its report. Intraday reports list an entry again and again. A notification or a
 * statement does not, so an entry without a reference is not the equal one of the message before.
 */
const keysOf = async (
  { database }: Uses<'database'>,
  environment: Environment,
  { entries, list, messageId }: AccountReport,
): Promise<readonly string[]> => {
  const digests = entries.map(digestOf);
  const mentioned = new Map<string, number>();
  for (const [at, { entryReference, status }] of entries.entries()) {
    const digest = digests[at] ?? '';
    if (entryReference === null && status === 'BOOKED')
      mentioned.set(digest, (mentioned.get(digest) ?? 0) + 1);
  }
  const next = new Map<string, number>();
  if (list !== 'INTRADAY' && mentioned.size > 0) {
    const mentions = JSON.stringify(
      [...mentioned].map(([digest, bookings]) => ({ digest, bookings })),
    );
    const rows = await database.system(mentionBookings, { environment, list, messageId, mentions });
    // Another program reads a message with the same bookings: this one is tried again.
    if (rows.length < mentioned.size) throw new Error('Another message names the same bookings.');
    for (const { digest, first_ordinal } of rows) next.set(digest, first_ordinal);
  }
  return digests.map((digest) => {
    const ordinal = next.get(digest) ?? 0;
    next.set(digest, ordinal + 1);
    return `${digest} ${ordinal}`;
  });
};

const digestOf = (entry: StatementEntry): string => {
  const { entryReference, bookedOn, endToEndId, counterparty, remittance } = entry;
  const said = [
    ...[entry.direction, entry.status, entry.amountPence.toString()],
    ...[entryReference, bookedOn, endToEndId, counterparty, remittance],
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
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
