import type pg from 'pg';
import { arrivingLifecycle, leavingLifecycle, type MoveStatus } from '../move-lifecycle.ts';
import type { Side } from '../sides.ts';

/** A superuser's connection to the database of a cell. */
export type Cell = pg.Client;

export type Move = {
  readonly merchant_id: string;
  readonly move_id: string;
  readonly version: number;
  readonly status: MoveStatus;
  readonly other_cell_id: string;
  readonly was_here: boolean;
  readonly is_removed: boolean;
};

export const rowsOf = async <Row extends object>(
  cell: Cell,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => (await cell.query<Row>(text, [...values])).rows;

const columns = 'merchant_id, move_id, version, status, other_cell_id, was_here, is_removed';

export const findMove = async (cell: Cell, merchantId: string): Promise<Move | null> => {
  const [found] = await rowsOf<Move>(
    cell,
    `select ${columns} from cell_move where merchant_id = $1`,
    [merchantId],
  );
  return found ?? null;
};

export const sideIn = async (cell: Cell, cellId: string, merchantId: string): Promise<Side> => {
  const move = await findMove(cell, merchantId);
  const known = await rowsOf(cell, 'select from merchant where merchant_id = $1', [merchantId]);
  return {
    ...{ cellId, merchantId, version: move?.version ?? 0, status: move?.status ?? null },
    ...{ otherCellId: move?.other_cell_id ?? null, isKnown: known.length > 0 },
  };
};

type Listed = Move & { readonly address: string; readonly changed_at: Date };

export const listMoves = (cell: Cell): Promise<Listed[]> =>
  rowsOf(
    cell,
    `select ${columns}, c.address, m.changed_at from cell_move m
     join cell c on c.cell_id = m.other_cell_id order by m.began_at`,
  );

type NewMove = Pick<Move, 'merchant_id' | 'move_id' | 'version' | 'other_cell_id'> & {
  readonly by: string;
};

const endedBefore = {
  // One that was killed before it reached the other cell is begun anew.
  PREPARING: ['CANCELLED', 'HERE', 'PREPARING'],
  ARRIVING: ['GONE', 'UNDONE'],
} as const;

/** Guarded: the row of an earlier move is replaced only where that has ended, by one with a higher number. */
export const insertMove = async (
  cell: Cell,
  { merchant_id, move_id, version, other_cell_id, by }: NewMove,
  status: keyof typeof endedBefore,
): Promise<void> => {
  await cell.query(
    `insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id) do update set move_id = excluded.move_id, version = excluded.version,
       status = excluded.status, other_cell_id = excluded.other_cell_id, moved_by = excluded.moved_by,
       was_here = cell_move.was_here or cell_move.status in ('GONE', 'HERE'), is_removed = false,
       began_in_epoch = excluded.began_in_epoch, began_at = clock_timestamp(),
       changed_at = clock_timestamp()
     where cell_move.version < excluded.version and cell_move.status = any($7)`,
    [merchant_id, move_id, version, status, other_cell_id, by, endedBefore[status]],
  );
};

type Settled = NewMove & { readonly status: 'HERE' | 'GONE'; readonly is_removed: boolean };

/** What a person has settled is a move that has ended, over what the cell said when it was looked at. */
export const settleSide = async (
  cell: Cell,
  { merchant_id, move_id, version, other_cell_id, by, status, is_removed }: Settled,
  was: Move | null,
): Promise<void> => {
  const { rowCount } = await cell.query(
    `insert into cell_move as m
       (merchant_id, move_id, version, status, other_cell_id, moved_by, is_removed)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (merchant_id) do update set move_id = excluded.move_id, version = excluded.version,
       status = excluded.status, other_cell_id = excluded.other_cell_id, moved_by = excluded.moved_by,
       is_removed = excluded.is_removed, began_in_epoch = excluded.began_in_epoch,
       began_at = clock_timestamp(), changed_at = clock_timestamp()
     where m.version <= excluded.version and m.move_id = $8 and m.status = $9`,
    [
      ...[merchant_id, move_id, version, status, other_cell_id, by, is_removed],
      ...[was?.move_id, was?.status],
    ],
  );
  if (rowCount !== 1) throw new Error('A move goes on meanwhile: look again, and run it again.');
};

/**
 * In the cell that the merchant comes to, before it has opened: from now on only who knows this number may
 * open it, and soon. Null: it has opened, or never will.
 */
export const takePause = async (
  cell: Cell,
  { merchant_id, move_id }: Pick<Move, 'merchant_id' | 'move_id'>,
): Promise<number | null> => {
  const [taken] = await rowsOf<{ pauses: number }>(
    cell,
    `update cell_move set pauses = pauses + 1, changed_at = clock_timestamp()
     where merchant_id = $1 and move_id = $2 and status = 'ARRIVING' returning pauses`,
    [merchant_id, move_id],
  );
  return taken?.pauses ?? null;
};

/** Not after a restore or a promotion, of which nobody has said yet what it has lost. */
const inKnownEpoch: readonly string[] = ['copyBegan', 'paused', 'arrived'];

/** By none that began before a restore or a promotion: rows that were believed to have come may be lost. */
const ofThisServer = `exists (select from cluster_epoch b
  join cluster_epoch n on (b.system_identifier, b.timeline, b.schema_oid)
    = (n.system_identifier, n.timeline, n.schema_oid)
  where b.epoch = m.began_in_epoch and n.epoch = newest_epoch())`;

/** Also where the cell knows nothing of this move yet. */
export const isOfThisServer = async (
  cell: Cell,
  { merchant_id, move_id }: Pick<Move, 'merchant_id' | 'move_id'>,
): Promise<boolean> => {
  const earlier = await rowsOf(
    cell,
    `select from cell_move m where m.merchant_id = $1 and m.move_id = $2 and not ${ofThisServer}`,
    [merchant_id, move_id],
  );
  return earlier.length === 0;
};

/** A command that hung, while the first cell was restored or promoted, opens nothing when it goes on. */
const opensWithin = '10 seconds';

/**
 * Guarded by the move and by the statuses that its table leads on from. A pause opens the other cell by its
 * own number alone, and is lifted by a later one alone.
 */
export const changeMove = async (
  cell: Cell,
  { merchant_id, move_id }: Pick<Move, 'merchant_id' | 'move_id'>,
  trigger: string,
  pause: number | null = null,
): Promise<boolean> => {
  const edges = [...leavingLifecycle.edges, ...arrivingLifecycle.edges].filter(
    (edge) => edge.trigger === trigger,
  );
  const { rowCount } = await cell.query(
    `update cell_move m set status = e.to_status, changed_at = clock_timestamp(),
       pauses = case when e.to_status = 'PAUSED' then $5 else m.pauses end,
       came_at = case when e.to_status = 'HERE' then clock_timestamp() else m.came_at end
     from unnest($3::text[], $4::text[]) as e (from_status, to_status)
     where m.merchant_id = $1 and m.move_id = $2 and m.status = e.from_status
       and case when e.to_status = 'HERE'
         then m.pauses = $5 and m.changed_at > clock_timestamp() - interval '${opensWithin}'
         when m.status = 'PAUSED' and e.to_status = 'COPYING' then m.pauses < $5 else true end
       and not ($6 and exists (select from cluster_epoch where confirmed_at is null))
       and (not $6 or ${ofThisServer})`,
    [
      ...[merchant_id, move_id, edges.map(({ from }) => from), edges.map(({ to }) => to)],
      ...[pause, inKnownEpoch.includes(trigger)],
    ],
  );
  return rowCount === 1;
};

/** From now on what stayed behind is no copy any more. */
export const noteRemoved = (cell: Cell, { merchant_id, move_id }: Move): Promise<unknown> =>
  cell.query(
    `update cell_move set is_removed = true
     where merchant_id = $1 and move_id = $2 and status = 'GONE'`,
    [merchant_id, move_id],
  );

/** The other cell may have counted on, by moves that a restore has taken away here. */
const numbersAhead = 1_000;

/**
 * Here alone, under a number above all that the other cell can have. Before the pause that one has not
 * opened; a server that was restored or promoted since the move began may have lost the pause. Anything else
 * a person must state.
 */
export const giveUpMove = async (
  cell: Cell,
  { merchant_id, move_id }: Move,
  isStated: boolean,
): Promise<boolean> => {
  const edges = leavingLifecycle.edges.filter(
    ({ trigger }) => trigger === 'givenUp' || (isStated && trigger === 'otherCellLost'),
  );
  const { rowCount } = await cell.query(
    `update cell_move m set status = 'CANCELLED', version = version + ${numbersAhead},
       changed_at = clock_timestamp()
     where m.merchant_id = $1 and m.move_id = $2 and m.status = any($3) and not m.is_removed
       and ($4 or ${ofThisServer})`,
    [merchant_id, move_id, edges.map(({ from }) => from), isStated],
  );
  return rowCount === 1;
};

export const listCellTables = async (cell: Cell): Promise<string[]> =>
  (await rowsOf<{ table_name: string }>(cell, 'select table_name from cell_tables()')).map(
    ({ table_name }) => table_name,
  );

/** What a member of a merchant has: under the id of a person, who may have another one in another cell. */
export const listMemberTables = async (cell: Cell): Promise<string[]> => {
  const found = await rowsOf<{ table_name: string }>(
    cell,
    `select c.relname as table_name from pg_class c
     join pg_attribute m on m.attrelid = c.oid and m.attname = 'merchant_id'
     join pg_attribute p on p.attrelid = c.oid and p.attname = 'person_id'
     where c.relnamespace = 'florin'::regnamespace and c.relkind = 'r'
       and obj_description(c.oid, 'pg_class') like 'Not replicated:%' order by 1`,
  );
  return found.map(({ table_name }) => table_name);
};

/** In the chain of each cell: what was done there by the command. */
export const recordMove = (
  cell: Cell,
  move: Pick<Move, 'merchant_id' | 'move_id'>,
  { actor, host, recordId }: { actor: string; host: string; recordId: string },
): Promise<unknown> =>
  cell.query(
    `insert into audit_record (kind, record_id, channel, actor_kind, actor, address, action,
       merchant_id, detail, outcome)
     values ('ACT', $1, 'COMMAND', 'OPERATOR', $2, $3, 'operator move-merchant', $4, $5, 'DONE')`,
    [recordId, actor, host, move.merchant_id, JSON.stringify({ moveId: move.move_id })],
  );
