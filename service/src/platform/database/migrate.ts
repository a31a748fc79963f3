import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isDeadlock, isTimeout } from './database-unavailable.ts';
import { findPrimary } from './find-primary.ts';
import { standbyFault } from './require-own-session.ts';

/** The migrations that this program was written for, in their order. */
export const listMigrations = async (folder = migrationsFolder): Promise<readonly string[]> =>
  (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.sql')).sort();

export const migrationsFolder = new URL('../../../migrations/', import.meta.url);

const undefinedTable = '42P01';
const undefinedSchema = '3F000';
const undefinedRole = '22023';
const connectTimeoutMs = 10_000;

type Unconfirmed = { readonly epoch: number; readonly began_at: Date };

const appliedSql = 'select name, oldest_program from florin.migration order by name';
const unconfirmedSql = `
  select epoch, began_at from florin.cluster_epoch where confirmed_at is null
  order by epoch desc limit 1`;

/** Throws what to do where the database has another schema than this program was written for. */
export const requireCurrentSchema = async (connectionString: string): Promise<void> => {
  const client = new pg.Client({
    connectionString: await findPrimary(connectionString),
    connectionTimeoutMillis: connectTimeoutMs,
    options: '-c role=florin_system',
  });
  try {
    requireEach(await listMigrations(), await readApplied(client));
    const [server] = (await client.query('select pg_is_in_recovery() as is_standby')).rows;
    if (server?.is_standby) throw new Error(standbyFault);
    await client.query('select florin.begin_cluster_epoch()');
    const [unconfirmed] = (await client.query<Unconfirmed>(unconfirmedSql)).rows;
    if (unconfirmed) throw new Error(refusal(unconfirmed));
  } finally {
    await client.end().catch(() => undefined);
  }
};

const refusal = ({ epoch, began_at }: Unconfirmed): string =>
  `The data was restored, or a standby was promoted (epoch ${epoch}, noticed at ` +
  `${began_at.toISOString()}): ` +
  'what was written last before may be missing. Run "npm run operator -- reconcile", then ' +
  '"npm run operator -- confirm-epoch".';

type Applied = {
  readonly name: string;
  /** Programs go on beside it whose own last migration is this one or a later one; null: none of before. */
  readonly oldest_program: string | null;
};

const requireEach = (expected: readonly string[], found: readonly Applied[]): void => {
  const last = expected.at(-1) ?? '';
  const tooNew = found.find(
    ({ name, oldest_program }) =>
      !expected.includes(name) && (oldest_program === null || oldest_program > last),
  );
  if (tooNew)
    throw new Error(
      `The schema of the database is newer than this program (${tooNew.name}): start a newer one.`,
    );
  const missing = expected.filter((name) => !found.some((each) => each.name === name));
  if (missing.length > 0)
    throw new Error(
      `The schema of the database is older than this program (${missing[0]} is missing): ${runMigrate}`,
    );
};

const runMigrate = 'run migrate.ts first.';

const readApplied = async (client: pg.Client): Promise<readonly Applied[]> => {
  try {
    await client.connect();
    return (await client.query<Applied>(appliedSql)).rows;
  } catch (error) {
    const { code } = error as { code?: string };
    if ([undefinedTable, undefinedSchema, undefinedRole].includes(code ?? '')) return [];
    throw error;
  }
};

/** `-- oldest program: 0018_bank_feed.sql`: the last migration that a program must know to run beside it. */
export const oldestProgramOf = (text: string): string | null =>
  /^-- oldest program: (\S+\.sql)$/m.exec(text)?.[1] ?? null;

const lockKey = 7_203_105;
// Programs go on while a migration runs: what waits for a table behind a long statement would stop all
// that come after it, so it gives up and tries again.
const patientLocks: LockPatience = { lockTimeoutMs: 5_000, maxTries: 20, pauseMs: 1_000 };
const lockPauseMs = 100;

/** Forward only, each file once, in the order of its name, each in one transaction or concurrently. */
export const migrate = async (
  connectionString: string,
  { patience, folder }: MigrateOptions = { patience: patientLocks, folder: migrationsFolder },
): Promise<readonly string[]> => {
  const client = new pg.Client({
    connectionString: await findPrimary(connectionString),
    application_name: 'florin-migrate',
  });
  await client.connect();
  try {
    await takeLock(client);
    await client.query(`
      create schema if not exists florin;
      create table if not exists florin.migration (
        name text primary key,
        applied_at timestamptz not null default now(),
        oldest_program text
      );
      alter table florin.migration add column if not exists oldest_program text;
      set search_path = florin;
      set lock_timeout = ${patience.lockTimeoutMs};
      -- Bounds of partitions and defaults of times mean the same on every server.
      set timezone = 'UTC'`);
    const applied = await client.query<{ name: string }>('select name from florin.migration');
    const known = new Set(applied.rows.map((row) => row.name));
    const open = (await listMigrations(folder)).filter((name) => !known.has(name));
    for (const name of open)
      await applyPatiently(client, { name, file: new URL(name, folder) }, patience);
    await client.query('select begin_cluster_epoch()');
    return open;
  } finally {
    await client.end();
  }
};

type MigrateOptions = { readonly patience: LockPatience; readonly folder: URL };
type Migration = { readonly name: string; readonly file: URL };

type LockPatience = {
  readonly lockTimeoutMs: number;
  readonly maxTries: number;
  readonly pauseMs: number;
};

/** Looks again and again: a statement that waits would in turn be waited for by a concurrent build. */
const takeLock = async (client: pg.Client): Promise<void> => {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [lockKey]);
    if (rows[0]?.taken) return;
    await sleep(lockPauseMs);
  }
};

const applyPatiently = async (
  client: pg.Client,
  migration: Migration,
  { maxTries, pauseMs }: LockPatience,
): Promise<void> => {
  const { name } = migration;
  const apply = name.endsWith('.concurrent.sql') ? applyConcurrently : applyMigration;
  for (let tries = 1; ; tries += 1)
    try {
      return await apply(client, migration);
    } catch (error) {
      if (tries === maxTries || !(isTimeout(error) || isDeadlock(error)))
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
      await sleep(pauseMs);
    }
};

const applyMigration = async (client: pg.Client, { name, file }: Migration): Promise<void> => {
  const text = await readFile(file, 'utf8');
  await client.query('begin');
  try {
    await client.query(text);
    await noteApplied(client, name, text);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};

const invalidIndexes = `
  select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'florin'::regnamespace and c.relkind = 'i' and not i.indisvalid`;

/** Each statement by itself, so that tables can be written to meanwhile: indexes of filled tables. */
const applyConcurrently = async (client: pg.Client, { name, file }: Migration): Promise<void> => {
  const text = await readFile(file, 'utf8');
  // An index that was given up half built is in the way of its next try.
  const { rows } = await client.query<{ name: string }>(invalidIndexes);
  for (const index of rows) await client.query(`drop index ${index.name}`);
  for (const statement of text.split(';').filter((part) => part.trim() !== ''))
    await client.query(statement);
  await noteApplied(client, name, text);
};

const noteApplied = (client: pg.Client, name: string, text: string) =>
  client.query('insert into florin.migration (name, oldest_program) values ($1, $2)', [
    name,
    oldestProgramOf(text),
  ]);
