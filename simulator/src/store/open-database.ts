import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#simulator/bank/ports.ts';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import { openPool, type Pool } from './open-pool.ts';

export type Database = {
  readonly pool: Pool;
  // Resolves once the tables exist; waits for a database that is not up yet.
  readonly ready: Promise<void>;
  close(): Promise<void>;
};

export const openDatabase = (databaseUrl: string, clock: Clock, log: Log): Database => {
  const pool = openPool(databaseUrl, log);
  const logFailure = (error: Error) => log('sweeping failed', { reason: error.message });
  const sweep = () => sweepExpired(pool, clock.now()).catch(logFailure);
  const sweeper = setInterval(sweep, limits.sweepIntervalMs).unref();
  return {
    pool,
    ready: migrateWhenThere(pool, log),
    close: async () => {
      clearInterval(sweeper);
      await Promise.race([pool.end(), pause(limits.drainMs)]);
    },
  };
};

const migrateWhenThere = async (pool: Pool, log: Log): Promise<void> => {
  for (;;) {
    try {
      return await migrate(pool);
    } catch (error) {
      log('waiting for the database', { reason: (error as Error).message });
      await pause(limits.startRetryMs);
    }
  }
};

const folder = new URL('../../migrations/', import.meta.url);
const lockKey = 4010_4011;

const migrate = async (pool: Pool): Promise<void> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    await client.query('create schema if not exists simulator');
    await client.query('create table if not exists simulator.migration (name text primary key)');
    const { rows } = await client.query<{ name: string }>('select name from simulator.migration');
    const applied = new Set(rows.map((row) => row.name));
    for (const file of files.filter((name) => !applied.has(name))) {
      await client.query(await readFile(new URL(file, folder), 'utf8'));
      await client.query('insert into simulator.migration (name) values ($1)', [file]);
    }
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
};

// An idempotency key counts until it is swept, at the latest a minute after its 24 hours.
const sweepExpired = async (pool: Pool, now: number): Promise<void> => {
  await pool.query('delete from simulator.oidc_record where expires_at < now()');
  await pool.query('delete from simulator.idempotency_key where created_at < $1', [
    new Date(now - limits.idempotencyKeyMs),
  ]);
  await pool.query('delete from simulator.fault where remaining = 0');
};
