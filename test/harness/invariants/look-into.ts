import pg from 'pg';

const pools = new Map<string, pg.Pool>();

/**
 * Reads the tables of a database beside the programs, as their owner. Looks of one test share a connection:
 * each new one costs a process of PostgreSQL, 55 ms on a slow machine.
 */
export const lookInto = async <Result>(
  databaseUrl: string,
  read: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> => {
  const client = await poolOf(databaseUrl).connect();
  let isSound = false;
  try {
    await client.query('reset all; reset role; set search_path = florin');
    const result = await read(client);
    isSound = true;
    return result;
  } finally {
    client.release(!isSound);
  }
};

const poolOf = (databaseUrl: string): pg.Pool => {
  const known = pools.get(databaseUrl);
  if (known) return known;
  const pool = new pg.Pool({
    ...{ connectionString: databaseUrl, max: 2, idleTimeoutMillis: 5_000, allowExitOnIdle: true },
  });
  // The database of a test is dropped, or its server killed, while a connection rests.
  pool.on('error', () => undefined);
  pools.set(databaseUrl, pool);
  return pool;
};
