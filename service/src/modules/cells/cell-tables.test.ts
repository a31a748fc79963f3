import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandTools } from '#platform/command.ts';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../../../test/harness/database/open-test-database.ts';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';
import { knownPeople } from './carry-people.ts';
import { operatorCommands } from './commands.ts';
import { requireSameTables } from './store/carried-tables.ts';
import { fence, openFence, raiseEpochAbove } from './store/carry-rows.ts';
import { type Cell, listCellTables } from './store/moves.ts';
import { lockMove, withBoth, withThisCell } from './store/open-cells.ts';
import { removeRows } from './store/rows-left.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** As commands that carry do, which alone see whose rows are whose. */
const inCells = (
  hereUrl: string,
  thereUrl: string,
  run: (here: Cell, there: Cell) => Promise<void>,
) =>
  withBoth({ hereUrl, thereUrl }, async ([here, there]) => {
    for (const cell of [here, there]) await cell.query('set session_replication_role = replica');
    await run(here, there);
  });
const idAt = (at: number) => `0192d1c6-3333-7000-8000-00000000000${at}`;
const rows = <Row extends object>(text: string): Promise<Row[]> =>
  lookInto(database.url, async (client) => (await client.query<Row>(text)).rows);

const staying = `
  select c.relname as name, obj_description(c.oid, 'pg_class') as reason from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
  where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not in (select table_name from cell_tables()) order by 1`;

test('every table that names a merchant is carried with it, or says why it stays', async () => {
  const found = await rows<{ name: string; reason: string }>(staying);
  expect(found.map(({ name }) => name)).toEqual([
    ...['account_credit', 'audit_record', 'cell_move', 'member_notification', 'membership'],
    ...['rate_window', 'saved_view'],
  ]);
  expect(found.filter(({ reason }) => !/^Not replicated: .{10}/.test(reason))).toEqual([]);
  expect((await rows('select from cell_tables()')).length).toBeGreaterThan(70);
});

// Without it the first update or delete under a publication would fail, for all merchants.
const unfit = `
  select c.relname as name from pg_class c
  join pg_class root on root.oid = coalesce(
    (select i.inhparent from pg_inherits i where i.inhrelid = c.oid), c.oid)
  join cell_tables() t on t.table_name = root.relname
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
  where root.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p')
    and root.oid = ('florin.' || quote_ident(t.table_name))::regclass
    and c.relreplident <> 'f' and not exists (
      select from pg_index i where i.indrelid = c.oid and i.indisprimary
        and a.attnum = any (i.indkey))
  order by 1`;

test('each table and partition has merchant_id in its replica identity', async () => {
  expect(await rows(unfit)).toEqual([]);
  await lookInto(database.url, async (client) => {
    await client.query('create table florin.unfit_rows (merchant_id uuid, row_id int primary key)');
    expect((await client.query(unfit)).rows).toEqual([{ name: 'unfit_rows' }]);
    await client.query('drop table florin.unfit_rows');
  });
});

test('what policies of a moved merchant ask keeps no read of others from running in parallel', async () => {
  const asked = ['cell_has', 'may_have_gone', 'require_in_cell'];
  const found = await rows(
    `select proname as name from pg_proc where pronamespace = 'florin'::regnamespace
     and proparallel = 's' and provolatile = 's' and proname ~ 'cell|may_have' order by 1`,
  );
  expect(found).toEqual(expect.arrayContaining(asked.map((name) => ({ name }))));
});

test('a machine that died is noticed within a minute, and its lock is free', async () => {
  await withThisCell({ settings: { CELL_DATABASE_URL: database.url } }, async (cell) => {
    // A socket file, as here, keeps nothing alive: what the session has asked for.
    const read = `select name, reset_val::int from pg_settings where name ~ '^tcp_'`;
    const found = (await cell.query(read)).rows.map(({ name, reset_val }) => [name, reset_val]);
    const { tcp_keepalives_idle, tcp_keepalives_interval, tcp_keepalives_count, tcp_user_timeout } =
      Object.fromEntries(found);
    const seconds = tcp_keepalives_idle + tcp_keepalives_interval * tcp_keepalives_count;
    expect(tcp_keepalives_idle).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(60);
    expect(tcp_user_timeout).toBeGreaterThan(0);
    expect(tcp_user_timeout).toBeLessThan(60_000);
  });
});

test('nothing is removed under a publication that would remove it in the other cell', async () => {
  const merchantId = '0192d1c6-3333-7000-8000-000000000003';
  await withThisCell({ settings: { CELL_DATABASE_URL: database.url } }, async (cell) => {
    const left = 'florin_cell_0192d1c6333370008000000000000003_0123456789ab';
    await cell.query(`create publication ${left} for table payment_request`);
    await expect(removeRows(cell, merchantId)).rejects.toThrow(`The publication ${left}`);
    await cell.query(`drop publication ${left}`);
    await removeRows(cell, merchantId);
  });
});

test('numbers of transactions are raised above those of another cell, and only then', async () => {
  const now = async () =>
    BigInt((await rows<{ now: string }>('select written_in()::text as now'))[0]?.now ?? 0);
  const raise = async (above: bigint) =>
    (await rows<{ raised: boolean }>(`select raise_cluster_epoch('${above}') as raised`))[0]
      ?.raised;
  const above = (await now()) + 1_000n;
  expect(await raise(above)).toBe(true);
  expect(await now()).toBeGreaterThan(above + 2n ** 39n);
  expect(await raise(above)).toBe(false);
  const epochs = await rows<{ confirmed: boolean }>(
    'select confirmed_at is not null as confirmed from cluster_epoch order by epoch',
  );
  expect(epochs.at(-1)).toEqual({ confirmed: true });
  // After a restore twice as far: how it was raised above the other may be lost.
  const before = await now();
  await withThisCell({ settings: { CELL_DATABASE_URL: database.url } }, (cell) =>
    raiseEpochAbove([cell], cell),
  );
  expect(await now()).toBeGreaterThan(before + 2n ** 41n);
});

// One of each merchant that has gone was planned by every statement of all others, for ever.
test('merchants that have gone are one list in the policies of a table, which others go past', async () => {
  const idOf = (at: number) => `0192d1c6-4444-7000-8000-0000000000${at}`;
  const ids = Array.from({ length: 20 }, (_, at) => idOf(10 + at));
  await withThisCell({ settings: { CELL_DATABASE_URL: database.url } }, async (cell) => {
    const change = async (change: 'fence' | 'open', merchantId: string) =>
      (await cell.query(`select ${change}_cell_table('merchant', $1)`, [merchantId])).rows;
    const policies = async () =>
      (
        await cell.query(`select policyname as name, (select count(*)::int
            from regexp_matches(qual, '0192d1c6-4444', 'g')) as listed
          from pg_policies where tablename = 'merchant' and policyname ~ '^cell' order by 1`)
      ).rows;
    for (const id of [...ids, idOf(10)]) await change('fence', id);
    const names = ['cell', 'cell delete', 'cell work'];
    expect(await policies()).toEqual(names.map((name) => ({ name, listed: 20 })));
    await change('open', idOf(15));
    await change('open', idOf(99));
    expect((await policies()).map(({ listed }) => listed)).toEqual([19, 19, 19]);
    // Two moves that begin at once keep each other's.
    await Promise.all([
      change('fence', idOf(15)),
      withThisCell({ settings: { CELL_DATABASE_URL: database.url } }, (other) =>
        other.query(`select fence_cell_table('merchant', $1)`, [idOf(31)]),
      ),
    ]);
    expect((await policies()).map(({ listed }) => listed)).toEqual([21, 21, 21]);
    for (const id of [...ids, idOf(31)]) await change('open', id);
    expect(await policies()).toEqual([]);
  });
});

test('a member who came from the other cell before is known there, also unproven', async () => {
  const [merchantId, personId] = [idAt(5), idAt(6)];
  await withThisCell({ settings: { CELL_DATABASE_URL: database.url } }, async (cell) => {
    await cell.query('set session_replication_role = replica');
    await cell.query(
      `insert into person (person_id, name, email, email_verified)
       values ($1, 'Ada', 'a@b.example', false)`,
      [personId],
    );
    await cell.query(
      `insert into membership (merchant_id, person_id, role) values ($1, $2, 'owner')`,
      [merchantId, personId],
    );
    const known = await knownPeople(cell, cell, merchantId);
    expect(known).toMatchObject([{ person_id: personId, idThere: personId }]);
  });
});

const addMember = `
  with one as (insert into person (person_id, name, email, email_verified)
    values (gen_random_uuid(), 'Bo', $2, $3) returning person_id)
  insert into membership (merchant_id, person_id, role) select $1, person_id, 'owner' from one`;

test('a member who has not proven an address is not somebody who has', async () => {
  const other = await openTestDatabase();
  await inCells(database.url, other.url, async (here, there) => {
    await here.query(addMember, [idAt(7), 'bo@b.example', false]);
    await there.query(addMember, [idAt(8), 'bo@b.example', true]);
    await expect(knownPeople(here, there, idAt(7))).rejects.toThrow(
      'bo@b.example is a member here without having proven that address',
    );
    await here.query('update person set email_verified = true');
    expect(await knownPeople(here, there, idAt(7))).toHaveLength(1);
  });
  await other.close();
});

test('who becomes a member in the other cell cannot be deleted there meanwhile', async () => {
  await inCells(database.url, database.url, async (cell, other) => {
    await cell.query(addMember, [idAt(9), 'cy@b.example', true]);
    await cell.query('begin');
    await knownPeople(cell, cell, idAt(9));
    await other.query('set lock_timeout = 100');
    const remove = () => other.query(`delete from person where email = 'cy@b.example'`);
    await expect(remove()).rejects.toThrow('lock timeout');
    await cell.query('commit');
    await remove();
    expect(await knownPeople(cell, cell, idAt(9))).toEqual([]);
  });
});

test('a merchant is one in capitals, too: its lock holds, and nothing of its move is left', async () => {
  const [merchantId, written] = [idAt(2), idAt(2).toUpperCase()];
  const settings = { CELL_DATABASE_URL: database.url };
  const tools = { settings, write: async () => undefined } as unknown as CommandTools;
  const abandon = async () => operatorCommands.run['abandon-move']?.(tools, [written]);
  await withThisCell({ settings }, async (cell) => {
    const carrier = 'florin_cell_0192d1c6333370008000000000000002_0123456789ab';
    await cell.query(`create publication ${carrier} for table payment_request`);
    await cell.query(
      `with other as (insert into cell (address) values ('http://127.0.0.1:9') returning cell_id)
       insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
       select $1, gen_random_uuid(), 1, 'COPYING', cell_id, 'a test' from other`,
      [merchantId],
    );
    await lockMove([cell], merchantId);
    await expect(abandon()).rejects.toThrow('Another command moves this merchant');
    await cell.query('select pg_advisory_unlock_all()');
    expect(await abandon()).toContain(`Merchant ${merchantId} stays here`);
    const left = `select from pg_publication where pubname = '${carrier}'`;
    expect((await cell.query(left)).rowCount).toBe(0);
  });
});

test('a move goes on only with the tables that it began with', async () => {
  const move = { merchant_id: '0192d1c6-3333-7000-8000-000000000004' };
  await withThisCell({ settings: { CELL_DATABASE_URL: database.url } }, async (cell) => {
    const cells = { here: cell, there: cell };
    await fence(cell, move.merchant_id);
    await requireSameTables(cells, move);
    const made = 'create table florin.made_later (merchant_id uuid primary key)';
    const carrier = 'florin_cell_0192d1c6333370008000000000000004_0123456789ab';
    const tables = (await listCellTables(cell)).join(', ');
    await cell.query(`create publication ${carrier} for table ${tables}
      with (publish_via_partition_root = true)`);
    await requireSameTables(cells, move);
    await cell.query(made);
    await expect(requireSameTables(cells, move)).rejects.toThrow('does not carry made_later');
    await cell.query(`drop publication ${carrier}`);
    await cell.query(`select protect_tenant_table('made_later', 'select')`);
    await expect(requireSameTables(cells, move)).rejects.toThrow('does not carry made_later');
    await cell.query('drop table made_later');
    await openFence(cell, move.merchant_id);
  });
});
