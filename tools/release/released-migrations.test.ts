import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrokenMigrations, freezeMigrations, migrationFolders } from './released-migrations.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test.each(migrationFolders)('%s holds every released migration as it was', async (folder) => {
  expect(await findBrokenMigrations(join(root, folder))).toEqual([]);
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-migrations-'));
  const files = {
    '0001_shops.sql': 'create table shop ();',
    '0002_carts.sql': 'create table cart ();',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'released.sha256'), '# none yet\n');
});
afterAll(() => rm(folder, { recursive: true }));

test('a release freezes what is new, once', async () => {
  await appendFile(join(folder, '0001_shops.sql'), '\n-- not released yet\n');
  expect(await findBrokenMigrations(folder)).toEqual([]);
  expect(await freezeMigrations(folder)).toEqual(['0001_shops.sql', '0002_carts.sql']);
  expect(await freezeMigrations(folder)).toEqual([]);
  const orders = join(folder, '0003_orders.sql');
  await writeFile(orders, 'create table "order" ();');
  expect(await findBrokenMigrations(folder)).toEqual([
    '0003_orders.sql names no released migration as its "-- oldest program:"',
  ]);
  await writeFile(orders, '-- oldest program: 0002_carts.sql\ncreate table "order" ();');
  expect(await findBrokenMigrations(folder)).toEqual([]);
  expect(await freezeMigrations(folder)).toEqual(['0003_orders.sql']);
});

test('a released migration that changes, goes or is preceded by a new one is found', async () => {
  await appendFile(join(folder, '0001_shops.sql'), '-- a comment\n');
  await rename(join(folder, '0003_orders.sql'), join(folder, '0002_orders.sql'));
  const broken = [
    '0001_shops.sql has changed',
    '0003_orders.sql is gone',
    '0002_orders.sql comes before 0003_orders.sql, which is released',
  ];
  expect(await findBrokenMigrations(folder)).toEqual(broken);
  await expect(freezeMigrations(folder)).rejects.toThrow(broken.join(', '));
});
