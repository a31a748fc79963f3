import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { migrate, requireCurrentSchema } from '../../service/src/platform/database/migrate.ts';
import { openDatabase } from '../../service/src/platform/database/open-database.ts';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { makeServerFolder } from '../harness/database/make-server-folder.ts';
import { openCuttingProxy } from '../harness/database/open-cutting-proxy.ts';
import { startTestPostgres } from '../harness/database/start-test-postgres.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { draftOf, emit } from '../webhooks/emit.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const patience = { withinMs: 60_000 };
const settings = { fsync: 'off', wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' };

const query = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  client.on('error', () => undefined);
  await client.connect();
  const answer = await client.query(text);
  await client.end();
  return answer.rows;
};

const startServer = async (folder: string, more: Readonly<Record<string, string>> = {}) => {
  const server = await startTestPostgres({
    folder,
    settings: { ...settings, ...more },
    log: silentLog,
  });
  closers.push(server.stop);
  return server;
};

const newFolder = async (): Promise<string> => {
  const folder = await makeServerFolder('florin-standby-');
  closers.push(() => discardFolder(folder));
  return folder;
};

/** A server that repeats what the primary writes, and that the primary waits for. */
const startStandby = async (primaryUrl: string) => {
  const [{ data_directory: data }] = await query(primaryUrl, 'show data_directory');
  const folder = await newFolder();
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  await client.query(`select pg_backup_start('standby', true)`);
  await cp(data, join(folder, 'data'), {
    recursive: true,
    filter: (path) => !/postmaster\.(pid|opts)$|pg_wal\/./.test(path.slice(data.length)),
  });
  const { rows } = await client.query('select labelfile from pg_backup_stop()');
  await client.end();
  await writeFile(join(folder, 'data', 'backup_label'), rows[0].labelfile);
  await writeFile(join(folder, 'data', 'standby.signal'), '');
  const { searchParams, username } = new URL(primaryUrl);
  const [host, port] = [searchParams.get('host'), searchParams.get('port') ?? '5432'];
  const primary = `host=${host} port=${port} user=${username}`;
  const standby = await startServer(folder, { primary_conninfo: primary });
  await waitUntil(async () => {
    const [found] = await query(
      primaryUrl,
      'select count(*)::int as found from pg_stat_replication',
    );
    return found.found === 1;
  }, patience);
  await query(primaryUrl, `alter system set synchronous_standby_names = '*'`);
  await query(primaryUrl, 'select pg_reload_conf()');
  return standby;
};

test('a program goes on at a standby that is promoted, loses nothing and begins an epoch', async () => {
  const primary = await startServer(await newFolder());
  await ensureDatabase(primary.connectionString('postgres'), 'florin');
  const primaryUrl = primary.connectionString('florin');
  await migrate(primaryUrl);
  const [{ merchant_id: merchantId }] = await query(
    primaryUrl,
    `insert into merchant (merchant_id, business_name) values (gen_random_uuid(), 'Shop')
     returning merchant_id`,
  );
  const standby = await startStandby(primaryUrl);
  const standbyUrl = standby.connectionString('florin');
  const proxies = await Promise.all([openCuttingProxy(), openCuttingProxy()]);
  closers.push(...proxies.map(({ close }) => close));
  const [first = '', second = ''] = await Promise.all([
    proxies[0].connectThrough(primaryUrl),
    proxies[1].connectThrough(standbyUrl),
  ]);
  const several = first.replace(/127\.0\.0\.1:\d+/, (host) => `${new URL(second).host},${host}`);
  const database = openDatabase(
    {
      connectionString: several,
      tenantConnections: 4,
      systemConnections: 2,
      applicationName: 'test',
    },
    silentLog,
  );
  closers.push(database.close);
  const tenant = { merchantId, environment: 'SANDBOX' } as const;
  const acknowledged: string[] = [];
  const write = async (): Promise<boolean> => {
    const draft = draftOf();
    return emit(database, tenant, [draft]).then(
      () => acknowledged.push(draft.eventId) > 0,
      () => false,
    );
  };
  for (let round = 0; round < 20; round += 1) expect(await write()).toBe(true);

  let isStopped = false;
  const load = [1, 2, 3].map(async () => {
    while (!isStopped) await write();
  });
  await waitUntil(async () => acknowledged.length > 60, patience);
  process.kill(primary.pid, 'SIGKILL');
  const before = acknowledged.length;
  const goneAtMs = performance.now();
  await query(standbyUrl, 'select pg_promote(true)');
  await waitUntil(async () => acknowledged.length > before + 20, { ...patience, everyMs: 50 });
  const backInMs = performance.now() - goneAtMs;
  isStopped = true;
  await Promise.all(load);
  expect(backInMs).toBeLessThan(15_000);

  const rows = await query(standbyUrl, 'select event_id from event order by written_in, event_id');
  const ids = rows.map(({ event_id }) => event_id);
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
  // What was written after the promotion stands behind everything before it.
  const oldest = Math.min(...acknowledged.slice(-10).map((id) => ids.indexOf(id)));
  expect(oldest).toBeGreaterThan(
    Math.max(...acknowledged.slice(0, before).map((id) => ids.indexOf(id))),
  );
  await expect(requireCurrentSchema(several)).rejects.toThrow('a standby was promoted (epoch 2');
}, 180_000);
