import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';

// Rows have the names of their columns in camel case. What is null in the database is left out.
export type Connection = {
  rows<Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]>;
  row<Row>(text: string, ...values: readonly unknown[]): Promise<Row | undefined>;
  // The number of rows that it changed.
  change(text: string, ...values: readonly unknown[]): Promise<number>;
};

export type Database = Connection & {
  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  // Resolves once the tables exist; waits for a database that is not up yet.
  readonly ready: Promise<void>;
  close(): Promise<void>;
};

export const openDatabase = (databaseUrl: string, log: Log): Database => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: limits.databaseConnections,
    connectionTimeoutMillis: limits.databaseConnectMs,
    query_timeout: limits.databaseQueryMs,
    // Every statement is planned once for each connection: none depends on its values.
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
    types,
  });
  // Without a listener a dying idle connection would end the process; the pool replaces it by itself.
  pool.on('error', (error) => log('database connection lost', { reason: error.message }));
  // Nor may one that is in use, between two statements of a transaction: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    ...connectionOf(pool),
    transaction: (work) => transact(pool, (client) => work(connectionOf(client))),
    ready: migrateWhenThere(pool, log),
    close: async () => {
      await Promise.race([pool.end(), pause(limits.drainMs)]);
    },
  };
};

const int8 = 20;
const timestamptz = 1184;
const readTime: (text: string) => Date = pg.types.getTypeParser(timestamptz);

// Times are milliseconds since 1970, and bigint columns pence unless their name says milliseconds.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === int8) return BigInt;
    if (oid === timestamptz) return (text: string) => readTime(text).getTime();
    return pg.types.getTypeParser(oid, format);
  },
};

const connectionOf = (client: pg.Pool | pg.PoolClient): Connection => {
  const run = (text: string, values: readonly unknown[]) =>
    client.query<unknown[]>({ name: nameOf(text), text, values: [...values], rowMode: 'array' });
  const rows = async <Row>(text: string, ...values: readonly unknown[]) => {
    const result = await run(text, values);
    const names = result.fields.map(({ name }) => camelCase(name));
    return result.rows.map((row) => rowOf(names, row) as Row);
  };
  return {
    rows,
    row: async <Row>(text: string, ...values: readonly unknown[]) =>
      (await rows<Row>(text, ...values))[0],
    change: async (text, ...values) => (await run(text, values)).rowCount ?? 0,
  };
};

const names = new Map<string, string>();

// A named statement is parsed and planned once; the texts of this program are few and fixed.
const nameOf = (text: string): string => {
  const name = names.get(text) ?? `statement-${names.size}`;
  names.set(text, name);
  return name;
};

const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

// For json_populate_recordset: the members of each object are the columns of a row.
export const jsonOfRows = (objects: readonly object[]): string =>
  JSON.stringify(
    objects.map((each) =>
      Object.fromEntries(Object.entries(each).map(([name, value]) => [snakeCase(name), value])),
    ),
    (_, value) => (typeof value === 'bigint' ? String(value) : value),
  );

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const rowOf = (fields: readonly string[], values: readonly unknown[]): object => {
  const row: Record<string, unknown> = {};
  for (const [index, name] of fields.entries()) {
    const value = values[index];
    if (value !== null) row[name] = name.endsWith('Ms') ? Number(value) : value;
  }
  return row;
};

const transact = async <Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
};

const migrateWhenThere = async (pool: pg.Pool, log: Log): Promise<void> => {
  for (;;) {
    try {
      return await transact(pool, migrate);
    } catch (error) {
      log('waiting for the database', { reason: (error as Error).message });
      await pause(limits.startRetryMs);
    }
  }
};

const folder = new URL('../../migrations/', import.meta.url);
const lockKey = 4010_4011;

const migrate = async (client: pg.PoolClient): Promise<void> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
  await client.query('create schema if not exists simulator');
  await client.query('create table if not exists simulator.migration (name text primary key)');
  const { rows } = await client.query<{ name: string }>('select name from simulator.migration');
  const applied = new Set(rows.map((row) => row.name));
  for (const file of files.filter((name) => !applied.has(name))) {
    await client.query(await readFile(new URL(file, folder), 'utf8'));
    await client.query('insert into simulator.migration (name) values ($1)', [file]);
  }
};

const lost =
  /^(08.{3}|ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EPIPE|ETIMEDOUT|57P0[123]|53300|55000|3D000)$/;

export const isDatabaseLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (lost.test(String((error as { code?: unknown }).code))) return true;
  return /connection terminated|timeout exceeded when trying|query read timeout/i.test(
    error.message,
  );
};
