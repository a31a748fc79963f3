import type { Environment } from '#kernel/environment.ts';
import { findUnlessMoving } from '#platform/database/find-unless-moving.ts';
import type { Uses } from '#platform/tools.ts';
import type { AccountReport, StatementEntry, TransferAccount } from '#rails/transfer-rail.ts';
import { type FoundOrder, findTransfers } from './store/batches.ts';
import { creditorContext } from './store/order-transfers.ts';

export type OwnEntry = { readonly entry: StatementEntry; readonly transfer: FoundOrder };

/** What a report lists as booked of transfers that we ordered. */
export const findOwnEntries = async (
  tools: Uses<'database' | 'secrets'>,
  environment: Environment,
  { account, entries }: AccountReport,
): Promise<readonly OwnEntry[]> => {
  const booked = entries.filter(({ status }) => status === 'BOOKED');
  const endToEndIds = booked.flatMap(({ endToEndId }) => endToEndId ?? []);
  const find = () => tools.database.system(findTransfers, { environment, endToEndIds });
  const found = await findUnlessMoving(tools.database, null, find, (transfers) => {
    const known = new Set(transfers.map(({ end_to_end_id }) => end_to_end_id));
    return booked.every((entry) => !isOfOrder(entry) || known.has(entry.endToEndId ?? ''));
  });
  const byId = new Map(found.map((transfer) => [transfer.end_to_end_id, transfer]));
  return booked.flatMap((entry) => {
    const transfer = byId.get(entry.endToEndId ?? '');
    return transfer && isOf(tools, transfer, entry, account) ? [{ entry, transfer }] : [];
  });
};

/** What nobody else sends under an id. */
const isOfOrder = (entry: StatementEntry): boolean =>
  entry.endToEndId !== null && ['DEBIT', 'RETURN'].includes(kindOf(entry));

/** What arrives under the id of a transfer to another account, and is no return, is not that transfer's. */
const isOf = (
  tools: Uses<'secrets'>,
  transfer: FoundOrder,
  entry: StatementEntry,
  { sortCode, accountNumber }: AccountReport['account'],
): boolean => {
  const kind = kindOf(entry);
  if (kind === 'DEBIT' || kind === 'RETURN') return true;
  const creditor = creditorOf(tools, transfer);
  const isHere =
    creditor?.accountNumber === accountNumber &&
    (sortCode === null || creditor.sortCode === sortCode);
  return isHere && entry.amountPence === transfer.amount_pence;
};

/** Null: no key opens it, which keeps the other entries of the message from nothing. */
const creditorOf = (
  { secrets }: Uses<'secrets'>,
  { creditor_encrypted: encrypted, end_to_end_id: endToEndId }: FoundOrder,
): TransferAccount | null => {
  try {
    return JSON.parse(secrets.decryptText(encrypted, creditorContext(endToEndId)));
  } catch {
    return null;
  }
};

/** A transfer that was paid to this very account has both of its sides here. */
export const kindOf = (entry: StatementEntry): 'DEBIT' | 'RETURN' | 'DEPOSIT' | 'GIVEN_BACK' => {
  if (entry.direction === 'DEBIT') return entry.returned === null ? 'DEBIT' : 'GIVEN_BACK';
  return isReturn(entry) ? 'RETURN' : 'DEPOSIT';
};

const isReturn = ({ returned, isReversal }: StatementEntry): boolean =>
  returned !== null || isReversal;
