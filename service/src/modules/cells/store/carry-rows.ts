import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cell, listCellTables, type Move, rowsOf } from './moves.ts';
import type { Cells } from './open-cells.ts';

const name = (text: string): string => pg.escapeIdentifier(text);

/** By which publications, subscriptions and slots of a merchant are found, whatever became of their moves. */
export const carriersOf = (merchantId: string): string =>
  `florin_cell_${merchantId.replaceAll('-', '')}_`;
/** Of one move: what a cell that was lost still receives by must not take what another move sends. */
const carrierOf = ({ merchant_id, move_id }: Pick<Move, 'merchant_id' | 'move_id'>): string =>
  `${carriersOf(merchant_id)}${move_id.slice(-12)}`;

const lockTries = 100;
const lockPauseMs = 500;
const lockNotAvailable = '55P03';

/** A lock that keeps everybody out is waited for shortly, since all who come after it wait too, and often. */
const lockShortly = async (cell: Cell, text: string, values: readonly unknown[]) => {
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
  // It waits for all who write here: of two subscriptions in opposite directions, which write meanwhile, each
  // would wait for the other.
  await here.query('set lock_timeout = 0');
  await here.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [carrier]);
  await here.query('set lock_timeout = 2000');
  await there.query(`create subscription ${name(carrier)}
    connection ${pg.escapeLiteral(hereUrl)} publication ${name(carrier)}
    with (create_slot = false, disable_on_error = true${asOwner})`);
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
    const behind = await bytesBehind(here, move);
    if (now.ready === now.tables && behind < shortLagBytes) return;
    await sleep(lookEveryMs);
  }
};

const bytesBehind = async (here: Cell, move: Move): Promise<number> => {
  const [slot] = await rowsOf<{ bytes: string }>(
    here,
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::text as bytes
     from pg_replication_slots where slot_name = $1 and wal_status <> 'lost'`,
    [carrierOf(move)],
  );
  // A server that was promoted has none, and one past max_slot_wal_keep_size none that goes on.
  if (!slot)
    throw new Error('Nothing follows any more: run "operator cancel-move", and begin anew.');
  return Number(slot.bytes);
};

// Each statement locks what it writes before it takes the snapshot that shows the pause, or does not. What
// carries others in writes nothing of this merchant, and may copy for hours.
const listWriters = `
  select distinct virtualtransaction as writer from pg_locks l
  where not exists (select from pg_stat_activity a
      where a.pid = l.pid and a.backend_type like 'logical replication%')
    and locktype = 'relation' and mode = 'RowExclusiveLock' and granted and pid <> pg_backend_pid()
    and database = (select d.oid from pg_database d where d.datname = current_database())
    and (relation = 'florin.membership'::regclass
      or relation in (select ('florin.' || quote_ident(table_name))::regclass from cell_tables()))`;

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

/** In the transaction that opens: logs and leases, which the pause lets go on, come no more. */
export const stopReceiving = (there: Cell, move: Move): Promise<unknown> =>
  there.query(`alter subscription ${name(carrierOf(move))} disable`);

/** In both directions, and of each move that was killed before it had cleared up. */
export const endCarrying = async (cells: readonly Cell[], merchantId: string): Promise<void> => {
  for (const cell of cells) await endReceiving(cell, merchantId);
  for (const cell of cells) await endSending(cell, merchantId);
};

const namesOf = async (cell: Cell, text: string, merchantId: string): Promise<string[]> =>
  (await rowsOf<{ name: string }>(cell, text, [carriersOf(merchantId)])).map((row) => row.name);

const listSubscriptions =
  'select subname as name from pg_subscription where starts_with(subname::text, $1)';
const listPublications =
  'select pubname as name from pg_publication where starts_with(pubname::text, $1)';
const listSlots =
  'select slot_name as name from pg_replication_slots where starts_with(slot_name::text, $1)';

/** Its slot is dropped by itself: a server that was promoted, or is lost, has none. */
const endReceiving = async (cell: Cell, merchantId: string): Promise<void> => {
  for (const carrier of await namesOf(cell, listSubscriptions, merchantId)) {
    await cell.query(`alter subscription ${name(carrier)} disable`);
    await cell.query(`alter subscription ${name(carrier)} set (slot_name = none)`);
    await cell.query(`drop subscription ${name(carrier)}`);
  }
};

const endSending = async (cell: Cell, merchantId: string): Promise<void> => {
  for (const carrier of await namesOf(cell, listSlots, merchantId)) await endSlot(cell, carrier);
  for (const carrier of await namesOf(cell, listPublications, merchantId))
    await cell.query(`drop publication ${name(carrier)}`);
};

const endSlot = async (cell: Cell, carrier: string): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    await cell.query(dropSlot, [carrier]);
    const [left] = await rowsOf(
      cell,
      `select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1`,
      [carrier],
    );
    if (!left) return;
    if (tries === lockTries)
      throw new Error(
        `The slot ${carrier} is still in use, and keeps the log of its server: run it again.`,
      );
    await sleep(lookEveryMs);
  }
};

/** What is removed, or written, under a publication may be so in the other cell, too. */
export const requireNotSent = async (cell: Cell, merchantId: string): Promise<void> => {
  const [left] = await namesOf(cell, listPublications, merchantId);
  if (left !== undefined)
    throw new Error(`The publication ${left} of an earlier move is left: nothing was removed.`);
};

/** Of tables that were being copied when the other cell was lost: their names do not say of which move. */
export const endCopies = (cell: Cell): Promise<unknown> =>
  cell.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots
     where slot_name ~ '^pg_[0-9]+_sync_[0-9]+_[0-9]+$' and not active and database = current_database()
       and not exists (select from cell_move where status in ('PREPARING', 'COPYING', 'PAUSED'))`,
  );

/** Numbers of transactions in `to` above those in `from`, so that cursors over events go on there. */
export const raiseEpoch = async (from: Cell, to: Cell): Promise<void> => {
  const [now] = await rowsOf<{ above: string }>(from, 'select written_in()::text as above');
  await lockShortly(to, 'select raise_cluster_epoch($1::xid8)', [now?.above]);
};

const far = 1n << 40n;

/** Above all that a cell has given, also before a restore that took away how it was raised. */
export const raiseEpochAbove = async (cells: readonly Cell[], to: Cell): Promise<void> => {
  for (const cell of cells) {
    const [now] = await rowsOf<{ now: string }>(cell, 'select written_in()::text as now');
    const above = BigInt(now?.now ?? 0) + far;
    await lockShortly(to, 'select raise_cluster_epoch($1::xid8)', [above.toString()]);
  }
};

/** Until this connection ends nothing raises the numbers of a cell. */
export const holdEpoch = (cell: Cell): Promise<unknown> =>
  lockShortly(cell, `select pg_advisory_lock(hashtextextended('florin epoch', 0))`, []);

/** The same above those of a lost cell, which was raised above this one, and again by each restore. */
export const raiseEpochFar = (cell: Cell): Promise<unknown> =>
  lockShortly(
    cell,
    'select raise_cluster_epoch((written_in()::text::bigint + (4::bigint << 40))::text::xid8)',
    [],
  );

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
      // Never down: another move may have raised it meanwhile.
      await there.query(`select setval($1, $2) from ${sequence} where last_value < $2`, [
        sequence,
        (BigInt(last) + BigInt(ahead)).toString(),
      ]);
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
