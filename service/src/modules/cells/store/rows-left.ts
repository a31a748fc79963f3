import pg from 'pg';
import { requireNotSent } from './carry-rows.ts';
import { type Cell, listCellTables, listMemberTables, rowsOf } from './moves.ts';

const name = (text: string): string => pg.escapeIdentifier(text);

/** Also books and histories, which nobody else may change: the triggers that keep them are left out. */
export const removeRows = async (
  cell: Cell,
  merchantId: string,
  kept: readonly string[] = [],
): Promise<void> => {
  await requireNotSent(cell, merchantId);
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

/** By these its secrets, links and events are led to the other cell. */
export const signposts = [
  'public_id',
  'secret_directory',
  'access_secret',
  'card_account',
  'merchant',
];

const pageRows = 5_000;

/** To a cell that it has left, where they were removed to make room for it. */
export const carrySignposts = async (from: Cell, to: Cell, merchantId: string): Promise<void> => {
  await to.query('begin; set local session_replication_role = replica');
  await from.query('begin');
  try {
    for (const table of signposts) {
      await from.query(`declare signposts cursor for select to_jsonb(t) as row from ${name(table)} t
        where merchant_id = ${pg.escapeLiteral(merchantId)}`);
      for (let page = pageRows; page === pageRows; ) {
        const found = await rowsOf<{ row: unknown }>(from, `fetch ${pageRows} from signposts`);
        page = found.length;
        await to.query(
          `insert into ${name(table)} select * from jsonb_populate_recordset(null::${name(table)}, $1)
           on conflict do nothing`,
          [JSON.stringify(found.map(({ row }) => row))],
        );
      }
      await from.query('close signposts');
    }
    await to.query('commit');
  } finally {
    await from.query('rollback');
    await to.query('rollback');
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
