import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../../../test/harness/database/open-test-database.ts';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

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
});
