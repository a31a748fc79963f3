import pg from 'pg';
import type { CommandProcess } from '#platform/command.ts';
import { readContents } from './backup-file.ts';
import { countTables, differences, seesAll, sumOf } from './count-tables.ts';
import { runPostgresProgram } from './run-postgres-program.ts';

export const restoreBackup = async (
  _process: CommandProcess,
  databaseUrl: string,
  file: string,
): Promise<string> => {
  const { madeAt, restored } = await restoreInto(databaseUrl, file);
  return (
    `${restored} are restored, as of ${madeAt}. Programs refuse to start before you have run ` +
    '"npm run operator -- reconcile" and "npm run operator -- confirm-epoch".'
  );
};

/** All of it or nothing: a restore that fails leaves the database as it was. */
export const restoreInto = async (databaseUrl: string, file: string) => {
  const { tables, madeAt } = await readContents(file);
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(`select from pg_namespace where nspname = 'florin'`);
    if (rows.length > 0)
      throw new Error('DATABASE_URL must name a database without the schema florin.');
    await client.query(makeRoles);
  });
  await runPostgresProgram('pg_restore', databaseUrl, [
    ...['--no-owner', '--exit-on-error', '--single-transaction'],
    file,
  ]);
  return withClient(databaseUrl, async (client) => {
    const found = differences(tables, await countTables(client));
    if (found.length > 0) throw new Error(`The restore is not whole: ${found.join(', ')}.`);
    await client.query('select florin.begin_cluster_epoch()');
    return { madeAt, restored: sumOf(tables) };
  });
};

// They belong to the cluster, so no dump of a database holds them.
const makeRoles = `do $$
  declare role_name text;
  begin
    foreach role_name in array array['florin_tenant', 'florin_system'] loop
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
      if not pg_has_role(current_user, role_name, 'USAGE') then
        execute format('grant %I to %I', role_name, current_user);
      end if;
    end loop;
  end $$`;

export const withClient = async <Value>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<Value>,
): Promise<Value> => {
  const client = new pg.Client({ connectionString: databaseUrl, options: seesAll });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};
