import pg from 'pg';

type FillOrder = {
  readonly url: string;
  readonly tables: readonly string[];
  readonly analysed: readonly string[];
  /** Each writes all rows of a table at once. */
  readonly statements: readonly string[];
};

/** Writes whole tables by one statement each. */
export const fillTables = async ({
  url,
  tables,
  analysed,
  statements,
}: FillOrder): Promise<void> => {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  await client.query("set maintenance_work_mem = '1GB'; set synchronous_commit = off");
  const later = await dropIndexes(client, tables);
  for (const text of statements) await timed(client, text);
  for (const text of later) await timed(client, text);
  for (const table of analysed) await timed(client, `vacuum (analyze, freeze) ${table}`);
  await client.end();
};

const timed = async (client: pg.Client, text: string): Promise<void> => {
  const startedAt = performance.now();
  await client.query(text);
  const seconds = (performance.now() - startedAt) / 1_000;
  const firstWords = text.trim().replace(/\s+/g, ' ').slice(0, 70);
  if (seconds > 5) process.stdout.write(`  ${seconds.toFixed(0)} s  ${firstWords}\n`);
};

/** Indexes are built when the rows are there: that is several times as fast. Answers how. */
const dropIndexes = async (
  client: pg.Client,
  tables: readonly string[],
): Promise<readonly string[]> => {
  const constraints = await client.query<{ name: string; of: string; definition: string }>(
    `select conname as name, conrelid::regclass::text as of, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype in ('f', 'u', 'p') and conrelid = any ($1::regclass[])
       or contype = 'f' and confrelid = any ($1::regclass[])
     order by contype = 'f' desc`,
    [tables],
  );
  for (const { name, of } of constraints.rows)
    await client.query(`alter table ${of} drop constraint ${name}`);
  const indexes = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'florin' and tablename = any ($1)`,
    [tables],
  );
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
  const keys = constraints.rows
    .filter(({ definition }) => !definition.startsWith('FOREIGN'))
    .map(({ name, of, definition }) => `alter table ${of} add constraint ${name} ${definition}`);
  return [...keys, ...indexes.rows.map(({ definition }) => definition)];
};
