import { archivePartition, type DetachedPartition } from './archive-partition.ts';
import type { Database } from './open-database.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

/** How many days a partition is kept after its end; a table that is not named keeps all. */
export type PartitionLives = Readonly<Record<string, number>>;

export type StrayRows = { readonly table: string; readonly rows: number };

const periodsAhead = 3;

const list = statement<object, { readonly table_name: string }>(
  'partition_tables',
  sql()`select table_name from partitioned_tables()`,
);

const ensure = statement<{ table: string; ahead: number }, { readonly moved: bigint }>(
  'partition_ensure',
  sql('table', 'ahead')`select ensure_partitions(:table, :ahead) as moved`,
  { guardedBy: 'an advisory lock: of two workers one makes them' },
);

const countDefault = statement<{ table: string }, { readonly found: bigint }>(
  'partition_count_default',
  sql('table')`select count_default_rows(:table) as found`,
);

const detach = statement<{ table: string; retainedDays: number }, { readonly detached: number }>(
  'partition_detach',
  sql('table', 'retainedDays')`
   select detach_partitions_before(:table, now() - :retainedDays * interval '1 day') as detached`,
  { guardedBy: 'partitions that are gone are not detached again' },
);

const listDetached = statement<{ table: string }, DetachedPartition>(
  'partition_list_detached',
  sql('table')`
   select :table::text as table, partition_name as partition, blocks from detached_partitions(:table)`,
);

const drop = statement<{ table: string; partition: string }, { readonly was_there: boolean }>(
  'partition_drop',
  sql('table', 'partition')`select drop_detached_partition(:table, :partition) as was_there`,
  { guardedBy: 'drops only what is detached; a repeat finds nothing' },
);

/**
 * Makes partitions ahead for every partitioned table, and detaches and drops those whose life is over;
 * they are written to the archive first, if there is one. Answers the tables in which rows had no
 * partition, and what failed. A table that fails does not stop the others.
 */
export const maintainPartitions = async (
  database: Database,
  lives: PartitionLives,
  archiveFolder: string | null,
): Promise<{ readonly strays: readonly StrayRows[]; readonly failures: readonly string[] }> => {
  const strays: StrayRows[] = [];
  const failures: string[] = [];
  for (const { table_name: table } of await database.system(list, {}))
    try {
      const rows = await maintainTable(database, table, lives[table], archiveFolder);
      if (rows > 0) strays.push({ table, rows });
    } catch (error) {
      failures.push(`${table}: ${(error as Error).message}`);
      const [left] = await database.system(countDefault, { table }).catch(() => []);
      if (left && left.found > 0n) strays.push({ table, rows: Number(left.found) });
    }
  return { strays, failures };
};

const maintainTable = async (
  database: Database,
  table: string,
  retainedDays: number | undefined,
  archiveFolder: string | null,
): Promise<number> => {
  const [made] = await database.system(ensure, { table, ahead: periodsAhead });
  const [left] = await database.system(countDefault, { table });
  if (retainedDays !== undefined) await dropOld(database, table, retainedDays, archiveFolder);
  return Number(made?.moved ?? 0n) + Number(left?.found ?? 0n);
};

/** Only of a table whose rows end: what somebody detached from another stays. */
const dropOld = async (
  database: Database,
  table: string,
  retainedDays: number,
  archiveFolder: string | null,
): Promise<void> => {
  await database.system(detach, { table, retainedDays });
  for (const detached of await database.system(listDetached, { table }))
    try {
      if (archiveFolder !== null) await archivePartition(database, archiveFolder, detached);
      await database.system(drop, { table, partition: detached.partition });
    } catch (error) {
      // Another worker has archived and dropped it meanwhile.
      const left = await database.system(listDetached, { table });
      if (left.some(({ partition }) => partition === detached.partition)) throw error;
    }
};
