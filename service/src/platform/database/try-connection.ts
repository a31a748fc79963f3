import pg from 'pg';

const connectTimeoutMs = 10_000;

/** Throws what the database, or the way to it, says against us. */
export const tryConnection = async (connectionString: string): Promise<void> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
  await client.connect();
  await client.end();
};
