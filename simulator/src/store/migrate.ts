import { readdir, readFile } from 'node:fs/promises';
import type { Pool } from './open-pool.ts';

const folder = new URL('../../migrations/', import.meta.url);
const lockKey = 4010_4011;

export const migrate = async (pool: Pool): Promise<void> => {
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
