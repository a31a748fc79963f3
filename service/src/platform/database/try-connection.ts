import pg from 'pg';

const connectTimeoutMs = 10_000;

/** Throws when the database, or the network to it, refuses the connection. */
export const tryConnection = async (connectionString: string): Promise<void> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
  await client.connect();
  await client.end();
};
