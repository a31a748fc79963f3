import { access, chmod, rename, rm, writeFile } from 'node:fs/promises';
import pg from 'pg';
import type { CommandProcess } from '#platform/command.ts';
import { contentsPath, hashFile } from './backup-file.ts';
import { countTables, seesAll, sumOf } from './count-tables.ts';
import { runPostgresProgram } from './run-postgres-program.ts';

const ownerOnly = 0o600;

/** One snapshot is counted and dumped, so that a restore can prove that it has everything. */
export const writeBackup = async (
  _process: CommandProcess,
  databaseUrl: string,
  file: string,
): Promise<string> => {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${file} is there already.`);
  const draft = `${file}.part`;
  const client = new pg.Client({ connectionString: databaseUrl, options: seesAll });
  await client.connect();
  try {
    await requireAllRows(client);
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ id: string; now: Date }>(
      'select pg_export_snapshot() as id, now() as now',
    );
    const [snapshot] = rows;
    const tables = await countTables(client);
    await runPostgresProgram('pg_dump', databaseUrl, [
      ...['--format=custom', '--schema=florin', '--no-owner', '--enable-row-security'],
      ...[`--snapshot=${snapshot?.id}`, `--file=${draft}`],
    ]);
    await chmod(draft, ownerOnly);
    const madeAt = snapshot?.now.toISOString() ?? '';
    const contents = { madeAt, sha256: await hashFile(draft), tables };
    const text = `${JSON.stringify(contents, null, 2)}\n`;
    await writeFile(contentsPath(file), text, { mode: ownerOnly });
    await rename(draft, file);
    return `${file} holds ${sumOf(tables)}, as of ${madeAt}.`;
  } finally {
    await client.end();
    await rm(draft, { force: true });
  }
};

/** Without the rights of florin_system the owner would dump tables without rows, and nothing would say so. */
const requireAllRows = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ sees_all: boolean; role: string }>(
    `select pg_has_role(current_user, 'florin_system', 'USAGE') as sees_all, current_user as role`,
  );
  const [found] = rows;
  if (!found?.sees_all)
    throw new Error(
      `The role ${found?.role} does not see all rows: grant florin_system to ${found?.role}.`,
    );
};
