import pg from 'pg';
import { listMigrations } from './list-migrations.ts';

const undefinedTable = '42P01';
const undefinedSchema = '3F000';
const undefinedRole = '22023';

type Found = { readonly names: readonly string[]; readonly is_same_cluster: boolean };

const foundSql = `
  select array(select name from florin.migration) as names,
    (select system_identifier from pg_control_system()) =
      (select system_identifier from florin.cluster_epoch order by epoch desc limit 1)
      as is_same_cluster`;

/** Throws what to do where the database has another schema than this program was written for. */
export const requireCurrentSchema = async (connectionString: string): Promise<void> => {
  const found = await readSchema(connectionString);
  const expected = await listMigrations();
  const missing = expected.filter((name) => !found.names.includes(name));
  const unknown = found.names.filter((name) => !expected.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `The schema of the database is newer than this program (${unknown[0]}): start a newer one.`,
    );
  if (missing.length > 0)
    throw new Error(
      `The schema of the database is older than this program (${missing[0]} is missing): ${runMigrate}`,
    );
  if (!found.is_same_cluster)
    throw new Error(`The data was restored into another cluster: ${runMigrate}`);
};

const runMigrate = 'run migrate.ts first.';

const readSchema = async (connectionString: string): Promise<Found> => {
  const client = new pg.Client({ connectionString, options: '-c role=florin_system' });
  try {
    await client.connect();
    const { rows } = await client.query<Found>(foundSql);
    return rows[0] ?? { names: [], is_same_cluster: true };
  } catch (error) {
    const { code } = error as { code?: string };
    if ([undefinedTable, undefinedSchema, undefinedRole].includes(code ?? ''))
      return { names: [], is_same_cluster: true };
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
};
