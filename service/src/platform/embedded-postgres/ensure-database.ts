import pg from 'pg';

const duplicateDatabase = '42P04';
const uniqueViolation = '23505';

/** Creates the database unless it exists, also when two programs start concurrently. */
export const ensureDatabase = async (connectionString: string, name: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== duplicateDatabase && code !== uniqueViolation) throw error;
  } finally {
    await client.end();
  }
};
