import type pg from 'pg';

/** How many rows each table holds. */
export type TableRows = Readonly<Record<string, number>>;

const tablesSql = `
  select c.relname as name from pg_class c
  where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by 1`;

/** Rows of every merchant: the session must have `seesAll`. */
export const countTables = async (client: pg.Client): Promise<TableRows> => {
  const counted: Record<string, number> = {};
  for (const { name } of (await client.query<{ name: string }>(tablesSql)).rows) {
    const text = `select count(*)::float8 as rows from florin.${name}`;
    counted[name] = (await client.query<{ rows: number }>(text)).rows[0]?.rows ?? 0;
  }
  return counted;
};

/**
 * For the owner, too, row security is on. The policy of florin_system, which the owner has the rights of,
 * shows all rows; that of florin_tenant wants to know of which merchants.
 */
export const seesAll = '-c florin.merchants={} -c search_path=pg_catalog -c statement_timeout=0';

export const differences = (wanted: TableRows, found: TableRows): readonly string[] =>
  Object.keys({ ...wanted, ...found })
    .filter((name) => wanted[name] !== found[name])
    .map((name) => `${name} has ${found[name] ?? 'no'} rows instead of ${wanted[name] ?? 'none'}`);

export const sumOf = (rows: TableRows): string => {
  const sum = Object.values(rows).reduce((total, count) => total + count, 0);
  return `${sum} rows of ${Object.keys(rows).length} tables`;
};
