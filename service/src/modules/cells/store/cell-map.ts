import type { CommandTools } from '#platform/command.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Entry = { readonly key: string; readonly address: string };

const listEntries = statement<{ readonly after: string; readonly limit: number }, Entry>(
  'cell_map_entries',
  sql('after', 'limit')`
   with away as (select w.merchant_id, c.address from cell_move w
     join cell c on c.cell_id = w.other_cell_id where w.status in ('GONE', 'ARRIVING', 'UNDONE'))
   select key, address from (
     (select encode(d.secret_sha256, 'hex') as key, m.address from away m
      join secret_directory d on d.merchant_id = m.merchant_id)
     union
     (select p.public_id, m.address from away m join public_id p on p.merchant_id = m.merchant_id)
     union
     (select m.merchant_id::text, m.address from away m)) e
   where key > :after order by key limit :limit`,
  { readsWholeTables: true },
);

const pageSize = 10_000;

/**
 * Lines for the map of a proxy: the digest of a secret, a public id or a merchant's id, and the host of its
 * cell. No secret can be read from it.
 */
export const writeCellMap = async (tools: CommandTools): Promise<string> => {
  let after = '';
  for (;;) {
    const found = await tools.database.system(listEntries, { after, limit: pageSize });
    for (const { key, address } of found) await tools.write(`${key} ${new URL(address).host}\n`);
    const last = found.at(-1);
    if (!last || found.length < pageSize) return '# end of the map';
    after = last.key;
  }
};
