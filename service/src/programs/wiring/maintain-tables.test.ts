import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmptyDatabase } from '../../../../test/harness/database/open-test-database.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { draftOf, emit } from '../../../../test/webhooks/emit.ts';
import { merchantRoutes } from '../../modules/webhooks/index.ts';
import type { Config } from '../../platform/config.ts';
import { archivePartition } from '../../platform/database/archive-partition.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { idempotencyStore } from '../../platform/idempotency/store.ts';
import { maintainTables } from './maintain-tables.ts';
import { tableLives } from './table-lives.ts';

let service: TestService;
let owner: pg.Client;
beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
  owner = await connect(service.databaseUrl);
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

const connect = async (connectionString: string, zone = 'UTC'): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString,
    options: `-c search_path=florin -c timezone=${zone}`,
  });
  await client.connect();
  return client;
};

type Partition = { readonly parent: string; readonly name: string; readonly bound: string };

const partitionsSql = `
  select p.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid and c.relkind = 'r'
  join pg_class p on p.oid = i.inhparent
  where c.relnamespace = 'florin'::regnamespace order by 1, 2`;

const partitionsOf = async (client: pg.Client): Promise<readonly Partition[]> =>
  (await client.query<Partition>(partitionsSql)).rows;

test('partitions begin at midnight UTC whatever zone the server has, also those made later', async () => {
  const empty = await openEmptyDatabase();
  const admin = await connect(empty.url);
  const [{ name }] = (await admin.query('select current_database() as name')).rows;
  await admin.query(`alter database ${name} set timezone = 'Pacific/Auckland'`);
  await migrate(empty.url);
  const abroad = await connect(empty.url, 'Pacific/Auckland');
  await abroad.query(`select ensure_partitions(table_name, 5) from partitioned_tables()`);
  const bounds = (await partitionsOf(admin)).map(({ bound }) => bound);
  const times = bounds.flatMap((bound) => [...bound.matchAll(/'([^']+)'/g)].map(([, at]) => at));
  expect(times.length).toBeGreaterThan(60);
  expect(times.filter((at) => !at?.endsWith(' 00:00:00+00'))).toEqual([]);
  await Promise.all([admin.end(), abroad.end()]);
  await empty.close();
});

test('after a partition that ends at midnight of another zone the next one leaves no gap', async () => {
  await owner.query(`
    create table abroad (written_at timestamptz not null) partition by range (written_at);
    create table abroad_default partition of abroad default;
    set timezone = 'Europe/Helsinki';
    do $$ begin execute format('create table abroad_%s partition of abroad for values from (%L) to (%L)',
      to_char(now() at time zone 'UTC', 'YYYY_MM'), date_trunc('month', now()),
      date_trunc('month', now()) + interval '1 month'); end $$;
    set timezone = 'UTC'`);
  await owner.query(`select ensure_partitions('abroad', 2)`);
  const { rows } = await owner.query(
    `select begins, ends from partition_bounds('abroad') order by begins`,
  );
  expect(rows).toHaveLength(3);
  expect(rows.slice(1).map(({ begins }) => begins)).toEqual(
    rows.slice(0, -1).map(({ ends }) => ends),
  );
  await owner.query('drop table abroad');
});

test('one job makes partitions ahead of every partitioned table, also of one it never heard of', async () => {
  await owner.query(`
    create table planted (written_at timestamptz not null) partition by range (written_at);
    create table planted_default partition of planted default with (fillfactor = 70)`);
  await maintainTables(service.tools);
  const partitions = await partitionsOf(owner);
  const parents = new Set(partitions.map(({ parent }) => parent));
  expect(parents).toContain('planted');
  // A day that ended since the migrations keeps its partition until its life is over.
  const withDefault = partitions.filter(({ bound }) => bound === 'DEFAULT');
  expect(new Set(withDefault.map(({ parent }) => parent))).toEqual(parents);
  for (const parent of parents) {
    const { rows: open } = await owner.query(
      'select from partition_bounds($1) where ends > now()',
      [parent],
    );
    expect([parent, open.length]).toEqual([parent, 4]);
  }
  const { rows } = await owner.query(
    `select count(*)::int as found from pg_class where relname ~ '^planted_2'
       and reloptions = array['fillfactor=70']`,
  );
  expect(rows).toEqual([{ found: 4 }]);
  await owner.query('drop table planted');
});

test('rows without a partition stay while a merchant is carried: only their end would go along', async () => {
  await owner.query(`
    create table carried (written_at timestamptz primary key) partition by range (written_at);
    create table carried_default partition of carried default;
    insert into carried values (now());
    create publication florin_cell_of_a_test for table carried
      with (publish_via_partition_root = true)`);
  const ensure = async () => {
    const { rows } = await owner.query(`select ensure_partitions('carried', 2)::int as moved`);
    const made = await owner.query(`select from partition_bounds('carried')`);
    return [rows[0]?.moved, made.rows.length];
  };
  expect(await ensure()).toEqual([0, 2]);
  await owner.query('drop publication florin_cell_of_a_test');
  expect(await ensure()).toEqual([1, 3]);
  await owner.query('drop table carried');
});

const casesOf = async (subject: string) =>
  (
    await owner.query(
      `select kind, evidence, status from operator_case where subject = $1 order by opened_at`,
      [subject],
    )
  ).rows;

test('rows that had no partition are moved into one and raise an operator case', async () => {
  const { merchantId } = service.sandbox;
  await owner.query(
    `insert into payment_history (merchant_id, environment, payment_request_id, version, position,
       subject, subject_id, to_status, trigger, occurred_at, written_at)
     values ($1, 'SANDBOX', $2, 1, 0, 'REQUEST', $2, 'OPEN', 'test', now(),
       date_trunc('month', now()) + interval '1 year')`,
    [merchantId, randomUUID()],
  );
  await maintainTables(service.tools);
  expect(await casesOf('payment_history')).toEqual([
    { kind: 'ROWS_IN_DEFAULT_PARTITION', evidence: { rows: 1 }, status: 'OPEN' },
  ]);
  const { rows } = await owner.query(
    `select tableoid::regclass::text as lies_in from payment_history where trigger = 'test'`,
  );
  expect(rows[0].lies_in).toMatch(/^payment_history_\d{4}_\d{2}$/);
  await expect(owner.query('delete from payment_history')).rejects.toThrow('append-only');
  await maintainTables(service.tools);
  expect(await casesOf('payment_history')).toHaveLength(1);
});

const writeOldKey = (age: string) =>
  owner.query(
    `insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256,
       status_code, reply, written_at)
     values ($1, 'SANDBOX', 'test', $2, sha256('x'), 200, '{}', now() - $2::text::interval)`,
    [service.sandbox.merchantId, age],
  );

const ageEvent = async (eventId: string | undefined, age: string) => {
  for (const [table, column] of [
    ['event', 'written_at'],
    ['event_body', 'written_at'],
    ['delivery', 'event_written_at'],
  ])
    await owner.query(
      `update ${table} set ${column} = ${column} - $2::interval where event_id = $1`,
      [eventId, age],
    );
};

const eventsIn = async (table: string): Promise<readonly string[]> =>
  (await owner.query(`select event_id from ${table}`)).rows.map(({ event_id }) => event_id);

const toolsWith = (settings: Partial<Config>) => ({
  ...service.tools,
  config: { ...service.tools.config, ...settings },
});

test('partitions past their life are dropped whole: events, deliveries, keys; young rows stay', async () => {
  const body = { url: 'https://shop.example/', events: ['PAYMENTS_STATUS'] };
  await service.request('POST', '/api/webhook/v2/endpoints', { body });
  const [old, young] = [draftOf(), draftOf()];
  await emit(service.database, service.sandbox, [old, young]);
  await ageEvent(old?.eventId, '200 days');
  for (const age of ['71 hours', '97 hours']) await writeOldKey(age);
  await maintainTables(toolsWith({ eventDays: 400 }));
  expect(await eventsIn('event')).toHaveLength(2);
  await maintainTables(service.tools);
  for (const table of ['event', 'event_body', 'delivery'])
    expect([table, await eventsIn(table)]).toEqual([table, [young?.eventId]]);
  const { rows } = await owner.query('select idempotency_key from idempotency');
  expect(rows).toEqual([{ idempotency_key: '71 hours' }]);
  const detached = await owner.query(
    `select relname from pg_class where relnamespace = 'florin'::regnamespace and relkind = 'r'
       and not relispartition and relname ~ '_\\d{4}_\\d{2}'`,
  );
  expect(detached.rows).toEqual([]);
});

test('what is dropped is in the archive first, once; without a folder that takes it, it stays', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-archive-'));
  const occupied = join(folder, 'occupied');
  await writeFile(occupied, '');
  const old = draftOf();
  await emit(service.database, service.sandbox, [old]);
  await ageEvent(old.eventId, '300 days');
  await expect(maintainTables(toolsWith({ archiveFolder: occupied }))).rejects.toThrow(
    /event: EEXIST/,
  );
  const partition = await owner.query(
    `select relname as name from pg_class where relname ~ '^event_\\d{4}_\\d{2}$'
       and not relispartition`,
  );
  const { name } = partition.rows[0];
  expect((await owner.query(`select event_id from ${name}`)).rows).toEqual([
    { event_id: old.eventId },
  ]);
  const archiveFolder = join(folder, 'kept');
  // As a program that was killed between file and drop leaves it: the same rows are one file.
  await archivePartition(service.database, archiveFolder, {
    table: 'event',
    partition: name,
    blocks: 1,
  });
  // Two workers in containers, each with the number 1, at the same moment.
  const twice = [1, 2].map(() => maintainTables(toolsWith({ archiveFolder })));
  await Promise.all(twice);
  const files = await readdir(archiveFolder);
  const [events = '', ...others] = files.filter((file) => file.startsWith(`${name}.`));
  expect(others).toEqual([]);
  expect(files.filter((file) => !file.endsWith('.jsonl.gz'))).toEqual([]);
  const lines = gunzipSync(await readFile(join(archiveFolder, events))).toString();
  expect(JSON.parse(lines)).toMatchObject({
    ...{ event_id: old.eventId, merchant_id: service.sandbox.merchantId },
  });
  expect((await stat(join(archiveFolder, events))).mode & 0o777).toBe(0o600);
  expect(await eventsIn('event')).not.toContain(old.eventId);
  await rm(folder, { recursive: true });
});

test('a partition that another worker is dropping is not read as an empty one', async () => {
  await owner.query('create table event_2020_01 (like event_default)');
  const dropping = await connect(service.databaseUrl);
  await dropping.query('begin; drop table event_2020_01');
  const listed = owner.query(`select partition_name from detached_partitions('event')`);
  const waiting = `select 1 from pg_locks where not granted and relation is not null`;
  await waitUntil(async () => (await dropping.query(waiting)).rows.length > 0);
  await dropping.query('commit');
  await dropping.end();
  expect((await listed).rows).toEqual([]);
});

test('an Idempotency-Key is taken once, across partitions and by many at the same moment', async () => {
  const store = idempotencyStore(service.database);
  const { sandbox } = service;
  const claim = (key: string) =>
    store.claim(sandbox, 'test', { key, bodySha256: Buffer.alloc(32) }, 60_000);
  await writeOldKey('50 hours');
  expect(await claim('50 hours')).toBeNull();
  const claims = await Promise.all(Array.from({ length: 40 }, () => claim('same')));
  expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
});

test('every table has a stated life', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'florin'::regnamespace
       and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  expect(Object.keys(tableLives).sort()).toEqual(rows.map(({ name }) => name));
});
