import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantRoutes } from '../../service/src/modules/webhooks/index.ts';
import { migrate, requireCurrentSchema } from '../../service/src/platform/database/migrate.ts';
import { openDatabase } from '../../service/src/platform/database/open-database.ts';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { startTestPostgres } from '../harness/database/start-test-postgres.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { waitUntil } from '../harness/wait-until.ts';
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

const confirm = `update cluster_epoch set confirmed_at = now(), confirmed_by = 'test'`;

/** As `docs/OPERATING.md` has it: a role that may create roles and owns the database, no more. */
const openOwner = async (url: string): Promise<string> => {
  const client = await connect(url);
  await client.query('create role florin_owner login createrole');
  await client.query('alter database florin owner to florin_owner');
  await client.end();
  const owner = new URL(url);
  owner.username = 'florin_owner';
  return owner.href;
};

const query = async (url: string, text: string) => {
  const client = await connect(url);
  const answer = await client.query(text);
  await client.end();
  return answer;
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
    const ownerUrl = await openOwner(url);
    await migrate(ownerUrl);
    await requireCurrentSchema(ownerUrl);
    const [from, to] = [await connect(service.databaseUrl), await connect(url)];
    const { rows: ahead } = await from.query(
      'select max(written_in::text::bigint) as id from event',
    );
    const { rows: behind } = await to.query('select pg_current_xact_id()::text::bigint as id');
    expect(Number(behind[0].id)).toBeLessThan(Number(ahead[0].id));
    await copyRows(from, to);
    await expect(requireCurrentSchema(ownerUrl)).rejects.toThrow('The data was restored');
    await to.query(confirm);
    await requireCurrentSchema(ownerUrl);
    const restored = openDatabase(
      {
        connectionString: ownerUrl,
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
// Of a whole server, by pg_basebackup: test/crash/restore-to-a-moment.long.test.ts.
test.each(isLongRun ? versions : [])(
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
    const restoredUrl = again.connectionString('florin');
    await waitUntil(async () => {
      const [server] = (await query(restoredUrl, 'select pg_is_in_recovery() as recovers')).rows;
      return !server.recovers;
    });
    const [old] = (await query(restoredUrl, 'select written_in()')).rows;
    await expect(requireCurrentSchema(restoredUrl)).rejects.toThrow('(epoch 2, noticed at 2');
    // What was written after the moment had lower numbers than all that is written now.
    const [raised] = (await query(restoredUrl, 'select written_in()')).rows;
    expect(BigInt(raised.written_in) - BigInt(old.written_in)).toBeGreaterThan(2n ** 39n);
    await query(restoredUrl, confirm);
    await requireCurrentSchema(restoredUrl);
    const reader = await connect(again.connectionString('florin'));
    const { rows: merchants } = await reader.query('select business_name from merchant');
    expect(merchants).toEqual([{ business_name: 'before' }]);
    await reader.end();
    await again.stop();
  },
  120_000,
);
