import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { silentLog } from '../../../service/src/platform/log.ts';
import { discardFolder } from '../discard-folder.ts';
import { waitUntil } from '../wait-until.ts';
import { makeServerFolder } from './make-server-folder.ts';
import { startTestPostgres } from './start-test-postgres.ts';

/** Of a server that others repeat. */
export const repeatable = {
  fsync: 'off',
  wal_level: 'replica',
  max_wal_senders: '4',
  hot_standby: 'on',
};

/** A server that repeats what the primary writes. */
export const startStandby = async (primaryUrl: string) => {
  const folder = await makeServerFolder('florin-standby-');
  const client = new pg.Client({ connectionString: primaryUrl });
  client.on('error', () => undefined);
  await client.connect();
  await copyServer(client, join(folder, 'data'));
  const { searchParams, username } = new URL(primaryUrl);
  const [host, port] = [searchParams.get('host'), searchParams.get('port') ?? '5432'];
  const primary_conninfo = `host=${host} port=${port} user=${username}`;
  const settings = { ...repeatable, primary_conninfo };
  const standby = await startTestPostgres({ folder, settings, log: silentLog });
  await waitUntil(
    async () => (await client.query('select from pg_stat_replication')).rowCount === 1,
    { withinMs: 60_000 },
  );
  await client.end();
  return {
    connectionString: standby.connectionString,
    stop: async (): Promise<void> => {
      await standby.stop();
      await discardFolder(folder);
    },
  };
};

/** What pg_basebackup does, by its own commands of SQL. */
const copyServer = async (client: pg.Client, target: string): Promise<void> => {
  const { rows } = await client.query('show data_directory');
  const data: string = rows[0].data_directory;
  await client.query(`select pg_backup_start('standby', true)`);
  await cp(data, target, {
    recursive: true,
    filter: (path) => !/postmaster\.(pid|opts)$|pg_wal\/./.test(path.slice(data.length)),
  });
  const { rows: labels } = await client.query('select labelfile from pg_backup_stop()');
  await writeFile(join(target, 'backup_label'), labels[0].labelfile);
  await writeFile(join(target, 'standby.signal'), '');
};
