import type pg from 'pg';

export type TableSize = {
  readonly rows: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
};

/**
 * Every table by its name, a partitioned one with all its partitions, without the room of rows that were
 * updated: of few payments it would be most of the size.
 */
export const readTableSizes = async (
  query: (text: string) => Promise<pg.QueryResult>,
): Promise<ReadonlyMap<string, TableSize>> => {
  await query('vacuum (full, analyze)');
  const { rows } = await query(sizesSql);
  return new Map(
    rows.map(({ name, rows: count, table_bytes, index_bytes }) => [
      name,
      { rows: Number(count), tableBytes: Number(table_bytes), indexBytes: Number(index_bytes) },
    ]),
  );
};

const sizesSql = `
  select root.relname as name, coalesce(sum(c.reltuples) filter (where c.reltuples > 0), 0) as rows,
    sum(pg_table_size(c.oid)) as table_bytes, sum(pg_indexes_size(c.oid)) as index_bytes
  from pg_class c join pg_class root on root.oid = coalesce(pg_partition_root(c.oid), c.oid)
  where c.relnamespace = 'florin'::regnamespace and c.relkind = 'r' group by 1`;

const none: TableSize = { rows: 0, tableBytes: 0, indexBytes: 0 };

/** What one of so many payments added, of each table that has more rows now. */
export const growthOf = (
  before: ReadonlyMap<string, TableSize>,
  after: ReadonlyMap<string, TableSize>,
  payments: number,
): ReadonlyMap<string, TableSize> =>
  new Map(
    [...after].flatMap(([name, now]) => {
      const then = before.get(name) ?? none;
      const each = (part: keyof TableSize) => (now[part] - then[part]) / payments;
      const [rows, tableBytes, indexBytes] = [each('rows'), each('tableBytes'), each('indexBytes')];
      return rows >= 0.01 ? [[name, { rows, tableBytes, indexBytes }] as const] : [];
    }),
  );
