import pg from 'pg';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';

export type Pool = pg.Pool;

// bigint columns are pence or milliseconds: read as bigint, converted where milliseconds are meant.
const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format),
};

export const openPool = (databaseUrl: string, log: Log): Pool => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: limits.databaseConnections,
    connectionTimeoutMillis: limits.databaseConnectMs,
    query_timeout: limits.databaseQueryMs,
    types,
  });
  // Without a listener a dying idle connection would end the process; the pool replaces it by itself.
  pool.on('error', (error) => log('database connection lost', { reason: error.message }));
  // Nor may one that is in use, between two statements of a transaction: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '55000',
  '3D000',
]);

export const isDatabaseLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (connectionCodes.has(code) || code.startsWith('08'))) return true;
  return /connection terminated|timeout exceeded when trying|query read timeout/i.test(
    error.message,
  );
};
