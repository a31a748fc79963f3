import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../../../test/harness/database/open-test-database.ts';
import { migrate } from './migrate.ts';

const patience = { lockTimeoutMs: 100, maxTries: 2, pauseMs: 10 };

let database: TestDatabase;
let other: pg.Client;
beforeAll(async () => {
  database = await openTestDatabase();
  other = new pg.Client({ connectionString: database.url, options: '-c search_path=florin' });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await database.close();
});

const constraints = async (): Promise<unknown> =>
  (await other.query('select conname, pg_get_constraintdef(oid) from pg_constraint order by 1, 2'))
    .rows;
const applied = async (name: string): Promise<number> =>
  (await other.query('select from migration where name = $1', [name])).rowCount ?? 0;

// These two can be applied again: one in a transaction, one that builds an index beside writers.
test.each([
  ['0240_refund_account_cases.sql', 'operator_case'],
  ['0281_erasure_age.concurrent.sql', 'erasure'],
])(
  '%s gives up while another session holds its table, and is applied later',
  async (name, table) => {
    await other.query('delete from migration where name = $1', [name]);
    await other.query('begin');
    await other.query(`lock table ${table} in access exclusive mode`);
    const before = await constraints();
    await expect(migrate(database.url, patience)).rejects.toThrow(
      `migration ${name} failed: canceling statement due to lock timeout`,
    );
    expect([await applied(name), await constraints()]).toEqual([0, before]);
    await other.query('rollback');
    expect(await migrate(database.url, patience)).toEqual([name]);
    expect(await applied(name)).toBe(1);
  },
);
