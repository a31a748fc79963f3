import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../test/harness/database/open-test-database.ts';
import { findNewerSql, findUnportableSql } from './sql-rules.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await openTestDatabase();
  client = new pg.Client({
    connectionString: database.url,
    options: '-c search_path=florin',
  });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

/** Unique indexes across merchants, and why. */
const uniqueAcrossMerchants: Readonly<Record<string, string>> = {
  operator_case_history_pkey: 'follows its case',
  operator_case_open: 'a case may concern no merchant, such as one of a partition',
  operator_case_pkey: 'an operator names a case by its id alone',
  transfer_batch_message: 'the bank knows a message by this id, of any merchant',
  transfer_by_id: 'the bank reports a transfer by this id, of any merchant',
};

const uniqueIndexesSql = `
  select x.relname as name from pg_index i
  join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
  where i.indisunique and c.relnamespace = 'florin'::regnamespace and not c.relispartition
    and c.relforcerowsecurity
    and (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum = i.indkey[0])
      is distinct from 'merchant_id'
  order by 1`;

const policiesSql = `
  select tablename || ': ' || policyname as name, concat_ws(' ', qual, with_check) as text
  from pg_policies where schemaname = 'florin'`;

const functionsSql = `
  select p.proname as name, p.prosrc as text from pg_proc p
  where p.pronamespace = 'florin'::regnamespace`;

/** They alone read transaction numbers, and raise them in each cluster. */
const numberFunctions = [
  ...['begin_cluster_epoch', 'number_from', 'raise_cluster_epoch', 'written_horizon', 'written_in'],
];

/** It reads by position a table that nobody writes any more, page by page, so any size can be archived. */
const positionFunctions = ['read_detached_partition'];

const namesOf = async (text: string): Promise<readonly string[]> =>
  (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);

const findBrokenPolicies = async (): Promise<readonly string[]> =>
  (await client.query<{ name: string; text: string }>(policiesSql)).rows
    .filter(({ text }) => /\bselect\b/i.test(text))
    .map(({ name }) => name);

const findBrokenFunctions = async (): Promise<readonly string[]> =>
  (await client.query<{ name: string; text: string }>(functionsSql)).rows
    .filter(({ name }) => ![...numberFunctions, ...positionFunctions].includes(name))
    .filter(({ text }) => findUnportableSql(text).length + findNewerSql(text).length > 0)
    .map(({ name }) => name);

/** Makes the violation, looks, and takes it back. */
const withPlanted = async <Found>(text: string, look: () => Promise<Found>): Promise<Found> => {
  await client.query(`begin; ${text}`);
  const found = await look();
  await client.query('rollback');
  return found;
};

describe('unique indexes of merchant data', () => {
  test('begin with merchant_id, or say why not', async () => {
    expect(await namesOf(uniqueIndexesSql)).toEqual(Object.keys(uniqueAcrossMerchants).sort());
  });

  test('that begin with something else are found', async () => {
    const planted = 'create unique index a_planted_index on customer (customer_id)';
    const found = await withPlanted(planted, () => namesOf(uniqueIndexesSql));
    expect(found).toContain('a_planted_index');
  });
});

describe('policies', () => {
  test('compare with a setting and have no sub-query', async () => {
    expect((await client.query(policiesSql)).rowCount).toBeGreaterThan(50);
    expect(await findBrokenPolicies()).toEqual([]);
  });

  test('with a sub-query are found', async () => {
    const planted = `alter policy tenant on customer using (merchant_id =
      any ((select current_setting('florin.merchants'))::uuid[]))`;
    expect(await withPlanted(planted, findBrokenPolicies)).toEqual(['customer: tenant']);
  });
});

describe('functions', () => {
  test('read no transaction number but by the two that raise it, and no position on disk', async () => {
    const names = await namesOf(functionsSql);
    expect(numberFunctions.filter((name) => !names.includes(name))).toEqual([]);
    expect(await findBrokenFunctions()).toEqual([]);
  });

  test('that read one are found', async () => {
    const planted = `create function planted() returns xid8 language sql
      as $$ select pg_current_xact_id() $$`;
    expect(await withPlanted(planted, findBrokenFunctions)).toEqual(['planted']);
  });
});

describe('SQL that is newer than PostgreSQL 15', () => {
  test.each([
    'update card set brand = null returning old.brand',
    'insert into card select 1 returning card_id,\n new.brand',
    'delete from card returning with (old as o) o.brand',
    'select uuidv7()',
    'select any_value(brand) from card',
    'select 1_000',
    'select body is json from event_body',
    'select * from json_table(body)',
    'merge into card using x on true when matched then delete returning card_id',
    'brand text generated always as (lower(name)) virtual',
    'primary key (merchant_id, valid without overlaps)',
    'set transaction_timeout = 1',
    'grant a to b with inherit false',
  ])('is found: %s', (text) => {
    expect(findNewerSql(text).length).toBeGreaterThan(0);
  });

  test.each([
    'update card c set brand = null from known old where old.card_id = c.card_id returning c.brand',
    'brand text generated always as (lower(name)) stored',
    'select gen_random_uuid()',
    'where m.merchant_id = old.merchant_id',
    'merge into card using x on true when matched then delete',
  ])('is not found: %s', (text) => {
    expect(findNewerSql(text)).toEqual([]);
  });
});
