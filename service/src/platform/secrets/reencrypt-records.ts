import type { Uses } from '../tools.ts';
import type { EncryptedColumn } from './store/encrypted-column.ts';

const batchSize = 500;
// A record that a program is writing at this moment is found by the next pass.
const maxPasses = 10;

export type ReencryptTools = Uses<'database' | 'secrets'>;

/**
 * Encrypts with the first master key whatever another one encrypted, while the programs run. Answers
 * how many records still need another key: zero means that it can be removed.
 */
export const reencryptRecords = async (
  tools: ReencryptTools,
  columns: readonly EncryptedColumn[],
  report: (line: string) => Promise<void>,
): Promise<number> => {
  let left = 0;
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    left = 0;
    for (const column of columns) left += await reencryptColumn(tools, column, report);
    if (left === 0) return 0;
  }
  return left;
};

/** Answers how many records it found under another key. */
const reencryptColumn = async (
  { database, secrets }: ReencryptTools,
  column: EncryptedColumn,
  report: (line: string) => Promise<void>,
): Promise<number> => {
  const { newestKeyId: keyId } = secrets;
  let after = column.start;
  let found = 0;
  for (;;) {
    const rows = await database.system(column.find, { after, keyId, limit: batchSize });
    const last = rows.at(-1);
    if (!last) return found;
    const changed = rows.map(({ row, record }) => {
      const context = column.contextOf(row);
      const again = secrets.encrypt(secrets.decrypt(record, context), context);
      return { ...row, old: record.toString('hex'), new: again.toString('hex') };
    });
    await database.system(column.write, { rows: JSON.stringify(changed) });
    found += rows.length;
    after = column.key.map((name) => last.row[name] ?? '');
    await report(`${column.table}.${column.column}: ${found} records encrypted again`);
  }
};
