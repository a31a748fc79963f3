import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cell, listCellTables, listMemberTables, type Move, rowsOf } from './moves.ts';
import type { Cells } from './open-cells.ts';

const name = (text: string): string => pg.escapeIdentifier(text);

/** Of publication, subscription and slot. */
const carrierOf = ({ move_id }: Pick<Move, 'move_id'>): string =>
  `florin_cell_${move_id.replaceAll('-', '')}`;

const lockTries = 100;
const lockPauseMs = 500;
const lockNotAvailable = '55P03';

/** A lock that keeps everybody out is waited for shortly, since all who come after it wait too, and often. */
export const lockShortly = async (cell: Cell, text: string, values: readonly unknown[]) => {
  for (let tries = 1; ; tries += 1)
    try {
      await cell.query('set lock_timeout = 200');
      return await cell.query(text, [...values]);
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable || tries === lockTries)
        throw error;
      await sleep(lockPauseMs);
    } finally {
      await cell.query('set lock_timeout = 2000');
    }
};

const onEachTable = async (cell: Cell, change: 'fence' | 'open', merchantId: string) => {
  const text = `select ${change}_cell_table(c.relname, $2) from pg_class c
    where c.oid = $1::regclass and c.relrowsecurity`;
  for (const table of await listCellTables(cell))
    await lockShortly(cell, text, [table, merchantId]);
};

export const fence = (cell: Cell, merchantId: string) => onEachTable(cell, 'fence', merchantId);
export const openFence = (cell: Cell, merchantId: string) => onEachTable(cell, 'open', merchantId);

/** Publication here, slot and subscription: rows are copied table by table, and changes follow. */
export const beginCarrying = async ({ here, there, hereUrl }: Cells, move: Move): Promise<void> => {
  const carrier = carrierOf(move);
  const [published] = await rowsOf(here, 'select from pg_publication where pubname = $1', [
    carrier,
  ]);
  if (!published) {
    const tables = (await listCellTables(here)).map(
      (table) => `${name(table)} where (merchant_id = ${pg.escapeLiteral(move.merchant_id)})`,
    );
    await here.query(`create publication ${name(carrier)} for table ${tables.join(', ')}
      with (publish = 'insert, update, delete', publish_via_partition_root = true)`);
  }
  const [known] = await rowsOf(there, 'select from pg_subscription where subname = $1', [carrier]);
  if (known) return;
  // Of a run that was killed between the two.
  await here.query(dropSlot, [carrier]);
  const [server] = await rowsOf<{ version: number }>(
    there,
    `select current_setting('server_version_num')::int as version`,
  );
  // PostgreSQL 16 and later write as the table's owner, and row security applies to the owner.
  const asOwner = (server?.version ?? 0) >= 160_000 ? ', run_as_owner = true' : '';
  await there.query(`create subscription ${name(carrier)}
    connection ${pg.escapeLiteral(hereUrl)} publication ${name(carrier)}
    with (disable_on_error = true${asOwner})`);
};

const dropSlot = `
  select pg_drop_replication_slot(slot_name) from pg_replication_slots
  where slot_name = $1 and not active`;

type Progress = {
  readonly is_enabled: boolean;
  readonly ready: number;
  readonly tables: number;
};

const readProgress = `
  select s.subenabled as is_enabled, count(*)::int as tables,
    count(*) filter (where r.srsubstate = 'r')::int as ready
  from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid
  where s.subname = $1 group by 1`;

const lookEveryMs = 100;
const toldEach = 25;
/** What follows within a moment, so that the pause is short. */
const shortLagBytes = 1_000_000;

/** Waits until all tables are copied and later changes are less than a megabyte behind; reports progress. */
export const followClosely = async (
  { here, there }: Cells,
  move: Move,
  tell: (text: string) => Promise<void>,
): Promise<void> => {
  let told = -toldEach;
  for (;;) {
    const [now] = await rowsOf<Progress>(there, readProgress, [carrierOf(move)]);
    if (!now?.is_enabled)
      throw new Error(
        'The other cell could not write what came, and says why in the log of its PostgreSQL. Run ' +
          '"operator cancel-move", mend it, and move the merchant again.',
      );
    if (now.ready >= told + toldEach || now.ready === now.tables) {
      await tell(`${now.ready} of ${now.tables} tables are copied`);
      told = now.ready;
    }
    if (now.ready === now.tables && (await bytesBehind(here, move)) < shortLagBytes) return;
    await sleep(lookEveryMs);
  }
};

const bytesBehind = async (here: Cell, move: Move): Promise<number> => {
  const [slot] = await rowsOf<{ bytes: string }>(
    here,
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::text as bytes
     from pg_replication_slots where slot_name = $1`,
    [carrierOf(move)],
  );
  // A server that was promoted has none.
  if (!slot)
    throw new Error('Nothing follows any more: run "operator cancel-move", and begin anew.');
  return Number(slot.bytes);
};

// Each statement locks what it writes before it takes the snapshot that shows the pause, or does not.
const listWriters = `
  select distinct virtualtransaction as writer from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and granted and pid <> pg_backend_pid()
    and database = (select d.oid from pg_database d where d.datname = current_database())
    and relation in (select ('florin.' || quote_ident(table_name))::regclass from cell_tables())`;

/** False: statements that began before the pause, or what follows, take too long. */
export const catchUp = async ({ here }: Cells, move: Move, withinMs: number): Promise<boolean> => {
  const endsAtMs = performance.now() + withinMs;
  const writers = async () =>
    (await rowsOf<{ writer: string }>(here, listWriters)).map(({ writer }) => writer);
  let earlier = new Set(await writers());
  while (earlier.size > 0) {
    if (performance.now() > endsAtMs) return false;
    await sleep(5);
    earlier = new Set((await writers()).filter((writer) => earlier.has(writer)));
  }
  // Committed after all of them, so all of them stand in the log before it.
  await here.query(`select pg_logical_emit_message(true, 'florin', 'paused')`);
  const [last] = await rowsOf<{ lsn: string }>(here, 'select pg_current_wal_flush_lsn() as lsn');
  for (;;) {
    const [slot] = await rowsOf<{ is_there: boolean }>(
      here,
      `select confirmed_flush_lsn >= $2::pg_lsn as is_there from pg_replication_slots
       where slot_name = $1`,
      [carrierOf(move), last?.lsn],
    );
    if (slot?.is_there) return true;
    if (performance.now() > endsAtMs) return false;
    await sleep(5);
  }
};

/** Again after a kill it finds what is left. */
export const endCarrying = async ({ here, there }: Cells, move: Move): Promise<void> => {
  const carrier = carrierOf(move);
  const [known] = await rowsOf(there, 'select from pg_subscription where subname = $1', [carrier]);
  if (known) await there.query(`drop subscription ${name(carrier)}`);
  await here.query(dropSlot, [carrier]);
  await here.query(`drop publication if exists ${name(carrier)}`);
};

type Sequence = { readonly sequence: string; readonly last: string };

// Ids of rows are counted in each cell: those to come must be above those that came.
const readSequences = `
  select format('%I.%I', s.schemaname, s.sequencename) as sequence, s.last_value::text as last
  from pg_sequences s where s.schemaname = 'florin' and s.last_value is not null`;
const ahead = 10_000;

export const raiseSequences = async ({ here, there }: Cells): Promise<void> => {
  const theirs = new Map(
    (await rowsOf<Sequence>(there, readSequences)).map(({ sequence, last }) => [sequence, last]),
  );
  for (const { sequence, last } of await rowsOf<Sequence>(here, readSequences))
    if (BigInt(last) >= BigInt(theirs.get(sequence) ?? 0))
      await there.query('select setval($1, $2)', [
        sequence,
        (BigInt(last) + BigInt(ahead)).toString(),
      ]);
};

/** Also books and histories, which nobody else may change: the triggers that keep them are left out. */
export const removeRows = async (
  cell: Cell,
  merchantId: string,
  kept: readonly string[] = [],
): Promise<void> => {
  const tables = (await listCellTables(cell)).filter((table) => !kept.includes(table));
  await cell.query(`begin; set local session_replication_role = replica`);
  try {
    for (const table of [...tables, ...(await listMemberTables(cell))])
      await cell.query(`delete from ${name(table)} where merchant_id = $1`, [merchantId]);
    await cell.query('commit');
  } catch (error) {
    await cell.query('rollback');
    throw error;
  }
};

/** A merchant that another cell has, or had before, is not carried over rows that are there. */
export const requireNoRows = async (cell: Cell, merchantId: string): Promise<void> => {
  for (const table of await listCellTables(cell)) {
    const text = `select from ${name(table)} where merchant_id = $1 limit 1`;
    if ((await rowsOf(cell, text, [merchantId])).length > 0)
      throw new Error(`The other cell has rows of this merchant in ${table} already.`);
  }
};

/** Partitions of the months that have rows, so that none lands where rows without a partition do. */
export const preparePartitions = async ({ here, there }: Cells): Promise<void> => {
  const oldest = await rowsOf<{ table_name: string; begins: Date }>(
    here,
    `select t.table_name, min(b.begins) as begins
     from partitioned_tables() t, partition_bounds(t.table_name) b group by 1`,
  );
  for (const { table_name, begins } of oldest)
    await there.query('select ensure_partitions($1, 3, $2)', [table_name, begins]);
};
