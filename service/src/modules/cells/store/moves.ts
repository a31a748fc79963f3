import type pg from 'pg';
import { arrivingLifecycle, leavingLifecycle, type MoveStatus } from '../move-lifecycle.ts';

/** A superuser's connection to the database of a cell. */
export type Cell = pg.Client;

export type Move = {
  readonly merchant_id: string;
  readonly move_id: string;
  readonly status: MoveStatus;
  readonly address: string;
};

export const rowsOf = async <Row extends object>(
  cell: Cell,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => (await cell.query<Row>(text, [...values])).rows;

export const findMove = async (cell: Cell, merchantId: string): Promise<Move | null> => {
  const [found] = await rowsOf<Move>(
    cell,
    'select merchant_id, move_id, status, address from cell_move where merchant_id = $1',
    [merchantId],
  );
  return found ?? null;
};

export const listMoves = (cell: Cell): Promise<(Move & { readonly changed_at: Date })[]> =>
  rowsOf(
    cell,
    'select merchant_id, move_id, status, address, changed_at from cell_move order by began_at',
  );

type NewMove = Omit<Move, 'status' | 'merchant_id'> & {
  readonly merchantId: string;
  readonly by: string;
};

const ended: readonly MoveStatus[] = ['GONE', 'CANCELLED', 'HERE', 'UNDONE'];

/** Guarded: the row of an earlier move is replaced only where that has ended. */
export const insertMove = async (
  cell: Cell,
  { merchantId, move_id, address, by }: NewMove,
  status: MoveStatus,
): Promise<void> => {
  await cell.query(
    `insert into cell_move (merchant_id, move_id, status, address, moved_by)
     values ($1, $2, $3, $4, $5)
     on conflict (merchant_id) do update set move_id = excluded.move_id, status = excluded.status,
       address = excluded.address, moved_by = excluded.moved_by, began_at = clock_timestamp(),
       changed_at = clock_timestamp()
     where cell_move.move_id <> excluded.move_id and cell_move.status = any($6)`,
    [merchantId, move_id, status, address, by, ended],
  );
};

/**
 * In the cell that the merchant comes to, before it has opened: from now on only who knows this number may
 * open it. Null: it has opened, or never will.
 */
export const takePause = async (
  cell: Cell,
  { merchant_id, move_id }: Pick<Move, 'merchant_id' | 'move_id'>,
): Promise<number | null> => {
  const [taken] = await rowsOf<{ pauses: number }>(
    cell,
    `update cell_move set pauses = pauses + 1
     where merchant_id = $1 and move_id = $2 and status = 'ARRIVING' returning pauses`,
    [merchant_id, move_id],
  );
  return taken?.pauses ?? null;
};

/** Guarded by the move and by the statuses that its table leads on from. */
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
    `update cell_move m set status = e.to_status, changed_at = clock_timestamp()
     from unnest($3::text[], $4::text[]) as e (from_status, to_status)
     where m.merchant_id = $1 and m.move_id = $2 and m.status = e.from_status
       and m.pauses = coalesce($5, m.pauses)`,
    [merchant_id, move_id, edges.map(({ from }) => from), edges.map(({ to }) => to), pause],
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
  move: Move,
  { actor, host, recordId }: { actor: string; host: string; recordId: string },
): Promise<unknown> =>
  cell.query(
    `insert into audit_record (kind, record_id, channel, actor_kind, actor, address, action,
       merchant_id, detail, outcome)
     values ('ACT', $1, 'COMMAND', 'OPERATOR', $2, $3, 'operator move-merchant', $4, $5, 'DONE')`,
    [recordId, actor, host, move.merchant_id, JSON.stringify({ moveId: move.move_id })],
  );
