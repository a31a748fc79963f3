import { execFile } from 'node:child_process';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantRoutes } from '../../service/src/modules/webhooks/index.ts';
import { migrate, requireCurrentSchema } from '../../service/src/platform/database/migrate.ts';
import { openDatabase } from '../../service/src/platform/database/open-database.ts';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { openTestServer } from '../harness/database/open-test-server.ts';
import { startTestPostgres } from '../harness/database/start-test-postgres.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { draftOf, emit } from '../webhooks/emit.ts';

const versions = isLongRun ? ([15, 18] as const) : ([18] as const);
const quick = { fsync: 'off', full_page_writes: 'off' };

let service: TestService;
const folders: string[] = [];
beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
});
afterAll(async () => {
  await service.close();
  for (const folder of folders) await discardFolder(folder);
});

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-restore-'));
  folders.push(folder);
  return folder;
};

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString, options: '-c search_path=florin' });
  // A failed test leaves it open while its server stops.
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const run = promisify(execFile);

/** The version of pg_dump on the PATH, if a server of it can be started here. */
const findDumpVersion = async (): Promise<(typeof versions)[number] | undefined> => {
  const said = await run('pg_dump', ['--version']).catch(() => ({ stdout: '' }));
  const major = Number(/ (\d+)\./.exec(said.stdout)?.[1]);
  return versions.find((version) => version === major);
};

const tablesSql = `
  select c.oid::regclass::text as name,
    (select string_agg(quote_ident(a.attname), ', ') from pg_attribute a where a.attrelid = c.oid
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c where c.relnamespace = 'florin'::regnamespace
    and c.relkind in ('r', 'p') and not c.relispartition`;

/** Every row, as a dump and its restore bring it: the schema is made by the same migrations. */
const copyRows = async (from: pg.Client, to: pg.Client): Promise<void> => {
  // Constraints and triggers held when the rows were written.
  await to.query('set session_replication_role = replica');
  for (const { name, columns } of (await from.query(tablesSql)).rows) {
    const { rows } = await from.query(
      `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${name} t`,
    );
    await to.query(`delete from ${name}`);
    await to.query(
      `insert into ${name} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [rows[0].rows],
    );
  }
};

/** A cluster that has run for a while counts further than a new one. */
const writeTransactions = async (count: number): Promise<void> => {
  const client = await connect(service.databaseUrl);
  for (let done = 0; done < count; done += 1) await client.query('select pg_current_xact_id()');
  await client.end();
};

const eventIds = async (client: pg.Client): Promise<readonly string[]> =>
  (await client.query('select event_id from event order by written_in, event_id')).rows.map(
    ({ event_id }) => event_id,
  );

test.each(versions)(
  'rows of a dump keep their order in a new cluster of PostgreSQL %i, and programs wait for its migration',
  async (version) => {
    await writeTransactions(1_000);
    for (const draft of [draftOf(), draftOf()])
      await emit(service.database, service.sandbox, [draft]);
    const folder = await newFolder();
    const server = await startTestPostgres({ folder, settings: quick, log: silentLog }, version);
    await ensureDatabase(server.connectionString('postgres'), 'florin');
    const url = server.connectionString('florin');
    await expect(requireCurrentSchema(url)).rejects.toThrow('run migrate.ts first');
    await migrate(url);
    const [from, to] = [await connect(service.databaseUrl), await connect(url)];
    const { rows: ahead } = await from.query(
      'select max(written_in::text::bigint) as id from event',
    );
    const { rows: behind } = await to.query('select pg_current_xact_id()::text::bigint as id');
    expect(Number(behind[0].id)).toBeLessThan(Number(ahead[0].id));
    await copyRows(from, to);
    await expect(requireCurrentSchema(url)).rejects.toThrow('another cluster');
    await migrate(url);
    await requireCurrentSchema(url);
    const restored = openDatabase(
      {
        connectionString: url,
        tenantConnections: 2,
        systemConnections: 2,
        applicationName: 'test',
      },
      silentLog,
    );
    const young = draftOf();
    await emit(restored, service.sandbox, [young]);
    expect(await eventIds(to)).toEqual([...(await eventIds(from)), young.eventId]);
    const { rows } = await to.query(
      `select bool_and(written_in < written_horizon()) as are_final from event`,
    );
    expect(rows).toEqual([{ are_final: true }]);
    const epochs = await to.query('select epoch from cluster_epoch order by epoch');
    expect(epochs.rows).toEqual([{ epoch: 1 }, { epoch: 2 }]);
    await restored.close();
    await Promise.all([from.end(), to.end()]);
    await server.stop();
  },
  120_000,
);

// Its commands are of the system, so of at most one version.
const dumpVersion = await findDumpVersion();
if (dumpVersion)
  test(`pg_dump and pg_restore of PostgreSQL ${dumpVersion} bring all into a new cluster`, async () => {
    const old = await openTestServer({ version: dumpVersion, settings: quick });
    const dumped = await openTestService({ routes: (tools) => merchantRoutes(tools), server: old });
    for (const draft of [draftOf(), draftOf()])
      await emit(dumped.database, dumped.sandbox, [draft]);
    const folder = await newFolder();
    const server = await startTestPostgres(
      { folder, settings: quick, log: silentLog },
      dumpVersion,
    );
    await ensureDatabase(server.connectionString('postgres'), 'florin');
    const url = server.connectionString('florin');
    const to = await connect(url);
    // Roles are of the cluster: a dump of a database does not hold them.
    await to.query('create role florin_tenant; create role florin_system');
    const file = join(await newFolder(), 'florin.dump');
    await run('pg_dump', [
      '--format=custom',
      `--file=${file}`,
      '--schema=florin',
      dumped.databaseUrl,
    ]);
    await run('pg_restore', ['--exit-on-error', `--dbname=${url}`, file]);
    await expect(requireCurrentSchema(url)).rejects.toThrow('another cluster');
    await migrate(url);
    await requireCurrentSchema(url);
    const restored = openDatabase(
      {
        connectionString: url,
        tenantConnections: 2,
        systemConnections: 2,
        applicationName: 'test',
      },
      silentLog,
    );
    const young = draftOf();
    await emit(restored, dumped.sandbox, [young]);
    const from = await connect(dumped.databaseUrl);
    expect(await eventIds(to)).toEqual([...(await eventIds(from)), young.eventId]);
    for (const client of [from, to]) await client.query('reset search_path');
    const all = `select c.relname as name, (xpath('/row/count/text()', query_to_xml(
        format('select count(*) from florin.%I', c.relname), false, true, '')))[1]::text as rows
      from pg_class c where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition
        and c.relname not in ('cluster_epoch', 'event', 'event_body', 'delivery')
      order by 1`;
    expect((await to.query(all)).rows).toEqual((await from.query(all)).rows);
    await Promise.all([from.end(), to.end(), restored.close()]);
    await dumped.close();
    await Promise.all([old.stop(), server.stop()]);
  }, 180_000);

test('a program refuses a schema that is older or newer than its own', async () => {
  const client = await connect(service.databaseUrl);
  await client.query(`insert into migration (name) values ('9999_later.sql')`);
  await expect(requireCurrentSchema(service.databaseUrl)).rejects.toThrow(
    'newer than this program',
  );
  await client.query(`delete from migration where name = '9999_later.sql'`);
  const gone = await client.query(
    `delete from migration where name = (select max(name) from migration) returning name`,
  );
  await expect(requireCurrentSchema(service.databaseUrl)).rejects.toThrow(
    'older than this program',
  );
  await client.query('insert into migration (name) values ($1)', [gone.rows[0].name]);
  await requireCurrentSchema(service.databaseUrl);
  await client.end();
});

test('a login role that owns nothing runs the programs', async () => {
  const client = await connect(service.databaseUrl);
  const role = `florin_program_${process.pid}`;
  await client.query(`create role ${role} login noinherit in role florin_tenant, florin_system`);
  const url = new URL(service.databaseUrl);
  url.username = role;
  await requireCurrentSchema(url.href);
  const database = openDatabase(
    {
      connectionString: url.href,
      tenantConnections: 2,
      systemConnections: 2,
      applicationName: 'test',
    },
    silentLog,
  );
  await emit(database, service.sandbox, [draftOf()]);
  await database.close();
  const program = await connect(url.href);
  await expect(program.query('drop table florin.event')).rejects.toThrow('permission denied');
  await expect(program.query('select 1 from florin.payment_request')).rejects.toThrow(
    'permission denied',
  );
  await program.end();
  await client.query(`drop role ${role}`);
  await client.end();
});

// As docs/OPERATING.md says, by the commands of SQL that stand behind pg_basebackup.
test.each(versions)(
  'a backup with archived WAL is restored to a point in time on PostgreSQL %i',
  async (version) => {
    const folder = await newFolder();
    const archiving = {
      ...quick,
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: 'mkdir -p archived && cp %p archived/%f',
    };
    const server = await startTestPostgres(
      { folder, settings: archiving, log: silentLog },
      version,
    );
    await ensureDatabase(server.connectionString('postgres'), 'florin');
    const url = server.connectionString('florin');
    await migrate(url);
    const client = await connect(url);
    const [{ data_directory: data }] = (await client.query('show data_directory')).rows;
    await client.query(`select pg_backup_start('test', true)`);
    const restored = await newFolder();
    await cp(data, join(restored, 'data'), {
      recursive: true,
      filter: (path) => !/postmaster\.(pid|opts)$|pg_wal\/.|archived/.test(path.slice(data.length)),
    });
    const { rows } = await client.query('select labelfile from pg_backup_stop()');
    await writeFile(join(restored, 'data', 'backup_label'), rows[0].labelfile);
    const write = (name: string) =>
      client.query(
        'insert into merchant (merchant_id, business_name) values (gen_random_uuid(), $1)',
        [name],
      );
    await write('before');
    const [{ moment }] = (await client.query('select clock_timestamp()::text as moment')).rows;
    await write('after');
    await client.query('select pg_switch_wal()');
    await client.end();
    await server.stop();
    await cp(join(data, 'archived'), join(restored, 'data', 'archived'), { recursive: true });
    await writeFile(join(restored, 'data', 'recovery.signal'), '');
    const recovering = {
      ...quick,
      restore_command: 'cp archived/%f %p',
      recovery_target_time: moment,
      recovery_target_action: 'promote',
    };
    const again = await startTestPostgres(
      { folder: restored, settings: recovering, log: silentLog },
      version,
    );
    await requireCurrentSchema(again.connectionString('florin'));
    const reader = await connect(again.connectionString('florin'));
    const { rows: merchants } = await reader.query('select business_name from merchant');
    expect(merchants).toEqual([{ business_name: 'before' }]);
    await reader.end();
    await again.stop();
  },
  120_000,
);
