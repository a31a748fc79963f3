import type { CommandTools } from '#platform/command.ts';
import {
  type EncryptedColumn,
  type Found,
  reencryptRecords,
} from '#platform/secrets/reencrypt-records.ts';
import { readSecret } from '#platform/settings.ts';
import { listHidden } from './store/cells.ts';
import { bySuperuser, withThisCell } from './store/open-cells.ts';

/**
 * Copies that stay closed after a move may be opened again, and then need the key. Programs do not see them,
 * so a superuser encrypts them again. Throws a sentence that names who is left.
 */
export const reencryptClosed = async (
  tools: CommandTools,
  columns: readonly EncryptedColumn[],
  report: (line: string) => Promise<void>,
): Promise<Found> => {
  const hidden = await tools.database.system(listHidden, {});
  const moved = hidden.find(({ status }) => status !== 'GONE');
  if (moved)
    throw new Error(
      `Merchant ${moved.merchant_id} is being moved, and needs the other keys: end its move ` +
        '("operator moves"), and run it again.',
    );
  if (hidden.length === 0) return { count: 0, unreadable: 0 };
  if (!readSecret(tools.settings, 'CELL_DATABASE_URL'))
    throw new Error(
      `Closed copies of ${hidden.length} merchants that have moved away still need the other keys: ` +
        `${hidden.map(({ merchant_id }) => merchant_id).join(', ')}. Name the address of a superuser on ` +
        'the database of this cell in CELL_DATABASE_URL, and run it again; or "operator remove-moved".',
    );
  return withThisCell(tools, (here) =>
    reencryptRecords({ ...tools, database: bySuperuser(here) }, columns, report),
  );
};
