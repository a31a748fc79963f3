import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../../../test/harness/database/open-test-database.ts';
import { listMigrations, migrate, requireCurrentSchema } from './migrate.ts';

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
const folderOf = async (name: string, text: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-migrations-'));
  await writeFile(join(folder, name), text);
  return { path: folder, url: pathToFileURL(`${folder}/`) };
};
const applied = async (name: string): Promise<number> =>
  (await other.query('select from migration where name = $1', [name])).rowCount ?? 0;

// One in a transaction, of which the first statement needs no lock; one that builds an index beside writers.
test.each([
  [
    '9001_cases.sql',
    'operator_case',
    'alter table store add check (true); alter table operator_case add check (true)',
  ],
  [
    '9002_erasures.concurrent.sql',
    'erasure',
    'create index concurrently erasure_requested on erasure (requested_at)',
  ],
])(
  '%s gives up while another session holds its table, and is applied later',
  async (name, table, text) => {
    const { path, url } = await folderOf(name, text);
    const options = { patience, folder: url };
    await other.query('begin');
    await other.query(`lock table ${table} in access exclusive mode`);
    const before = await constraints();
    await expect(migrate(database.url, options)).rejects.toThrow(
      `migration ${name} failed: canceling statement due to lock timeout`,
    );
    expect([await applied(name), await constraints()]).toEqual([0, before]);
    await other.query('rollback');
    expect(await migrate(database.url, options)).toEqual([name]);
    expect(await applied(name)).toBe(1);
    await rm(path, { recursive: true });
  },
);

test('a program starts on the schema of the next release, and not on one that leaves it behind', async () => {
  const names = await listMigrations();
  await other.query(`delete from migration where name > '9'`);
  for (const [name, oldest, startsBeside] of [
    ['9101_next.sql', names.at(-1), true],
    ['9102_later.sql', '9101_next.sql', false],
    ['9103_last.sql', null, false],
  ] as const) {
    const begin = oldest ? `-- oldest program: ${oldest}\n` : '';
    const text = `${begin}create table made_by_${name.slice(0, 4)} ();`;
    const { path, url } = await folderOf(name, text);
    expect(await migrate(database.url, { patience, folder: url })).toEqual([name]);
    const starting = requireCurrentSchema(database.url);
    if (startsBeside) await starting;
    else await expect(starting).rejects.toThrow(`newer than this program (${name})`);
    await other.query('delete from migration where name = $1', [name]);
    await rm(path, { recursive: true });
  }
});
