import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const folder = new URL('../../../migrations/', import.meta.url);
const lockKey = 7_203_105;

/** Forward only, each file once, in the order of its number, one transaction each. */
export const migrate = async (connectionString: string): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString, application_name: 'florin-migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(`
      create schema if not exists florin;
      create table if not exists florin.migration (
        name text primary key,
        applied_at timestamptz not null default now()
      );`);
    const applied = await client.query<{ name: string }>('select name from florin.migration');
    const known = new Set(applied.rows.map((row) => row.name));
    const files = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.sql'));
    const open = files.sort().filter((name) => !known.has(name));
    for (const name of open) await applyMigration(client, name);
    return open;
  } finally {
    await client.end();
  }
};

const applyMigration = async (client: pg.Client, name: string): Promise<void> => {
  const text = await readFile(new URL(name, folder), 'utf8');
  await client.query('begin');
  try {
    // Bounds of partitions and defaults of times mean the same on every server.
    await client.query("set local search_path = florin; set local timezone = 'UTC'");
    await client.query(text);
    await client.query('insert into florin.migration (name) values ($1)', [name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
};
