import { carriersOf } from './carry-rows.ts';
import { type Cell, type Move, rowsOf } from './moves.ts';
import type { Cells } from './open-cells.ts';

const listUnfenced = `
  select t.table_name from cell_tables() t
  join pg_class c on c.oid = ('florin.' || quote_ident(t.table_name))::regclass
  where c.relrowsecurity and $1::uuid <> all (fenced_merchants(t.table_name))`;

const listUnpublished = `
  select t.table_name from pg_publication b cross join cell_tables() t
  where starts_with(b.pubname::text, $1) and not exists (select from pg_publication_tables p
    where p.pubname = b.pubname and p.schemaname = 'florin' and p.tablename = t.table_name)`;

/** An upgrade since the move began may have made tables that are neither closed nor sent. */
export const requireSameTables = async (
  { here, there }: Pick<Cells, 'here' | 'there'>,
  { merchant_id: merchantId }: Pick<Move, 'merchant_id'>,
): Promise<void> => {
  const list = async (cell: Cell, text: string, value: string) =>
    (await rowsOf<{ table_name: string }>(cell, text, [value])).map((row) => row.table_name);
  const left = [
    ...(await list(here, listUnfenced, merchantId)),
    ...(await list(there, listUnfenced, merchantId)),
    ...(await list(here, listUnpublished, carriersOf(merchantId))),
  ];
  if (left.length > 0)
    throw new Error(
      `The version has changed since this move began, and it does not carry ${left[0]}: run ` +
        '"operator cancel-move", and begin anew.',
    );
};
