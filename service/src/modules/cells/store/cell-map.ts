import type { CommandTools } from '#platform/command.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Entry = { readonly key: string; readonly address: string };

const away = sql()`
  select w.merchant_id, c.address from cell_move w
  join cell c on c.cell_id = w.other_cell_id where w.status in ('GONE', 'ARRIVING', 'UNDONE')`;

/** Merchants that are elsewhere, each with its secrets. */
const listMerchants = statement<
  { readonly after: string | null; readonly limit: number },
  Entry & { readonly merchant_id: string }
>(
  'cell_map_merchants',
  sql('after', 'limit')`
   with away as materialized (select * from (${away}) a
     where :after::uuid is null or a.merchant_id > :after::uuid order by a.merchant_id limit :limit)
   select merchant_id, merchant_id::text as key, address from away
   union all
   select a.merchant_id, encode(d.secret_sha256, 'hex'), a.address from away a
     join secret_directory d on d.merchant_id = a.merchant_id
   order by merchant_id, key`,
  { readsWholeTables: true },
);

type Place = { readonly id: string; readonly kind: string };

/** The next ids of all merchants, in the order of their index; of them only those of `away` are answered. */
const listIds = statement<
  Place & { readonly limit: number },
  Place & { readonly key: string | null; readonly address: string }
>(
  'cell_map_ids',
  sql('id', 'kind', 'limit')`
   with away as materialized (${away}),
   page as materialized (select public_id, kind, merchant_id from public_id
     where (public_id, kind) > (:id, :kind) order by public_id, kind limit :limit),
   last as (select public_id, kind from page order by public_id desc, kind desc limit 1)
   select last.public_id as id, last.kind, e.key, e.address from last left join (
     select distinct p.public_id as key, a.address from page p
     -- what the page before ended with, and stands here by another kind
     join away a on a.merchant_id = p.merchant_id and p.public_id <> :id) e on true
   order by e.key`,
  { readsWholeTables: true },
);

type MapTools = Pick<CommandTools, 'database' | 'write'>;

/**
 * Lines for the map of a proxy: the digest of a secret, a public id or a merchant's id, and the host of its
 * cell. No secret can be read from it. Each page begins where the one before ended, so each id is read once.
 */
export const writeCellMap = async (tools: MapTools, pageSize = 10_000): Promise<string> => {
  if (await writeMerchants(tools, pageSize)) await writeIds(tools, pageSize);
  return '# end of the map';
};

const writeEntry = ({ write }: MapTools, { key, address }: Entry): Promise<void> =>
  write(`${key} ${new URL(address).host}\n`);

/** False: none is elsewhere. */
const writeMerchants = async (tools: MapTools, limit: number): Promise<boolean> => {
  let after: string | null = null;
  for (;;) {
    const found: Awaited<ReturnType<typeof readMerchants>> = await readMerchants(
      tools,
      after,
      limit,
    );
    for (const entry of found) await writeEntry(tools, entry);
    const last = found.at(-1)?.merchant_id ?? null;
    if (last === null) return after !== null;
    after = last;
  }
};

const readMerchants = ({ database }: MapTools, after: string | null, limit: number) =>
  database.system(listMerchants, { after, limit });

const writeIds = async (tools: MapTools, limit: number): Promise<void> => {
  let place: Place = { id: '', kind: '' };
  for (;;) {
    const found = await tools.database.system(listIds, { ...place, limit });
    for (const { key, address } of found)
      if (key !== null) await writeEntry(tools, { key, address });
    const [first] = found;
    if (!first) return;
    place = { id: first.id, kind: first.kind };
  }
};
