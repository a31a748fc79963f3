import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { madeStatements } from '../../service/src/platform/database/statement.ts';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../test/harness/database/open-test-database.ts';
import { generatedSql } from '../generate.ts';
import { isUnguarded } from './describe-statements.ts';

const root = new URL('../../', import.meta.url);

let database: TestDatabase;
let files: ReadonlyMap<string, string>;
beforeAll(async () => {
  database = await openTestDatabase();
  files = await generatedSql(database.url);
});
afterAll(() => database.close());

test('every statement and the schema are committed as generated (npm run generate)', async () => {
  const behind: string[] = [];
  for (const [path, content] of files)
    if ((await readFile(new URL(path, root), 'utf8').catch(() => '')) !== content)
      behind.push(path);
  expect(behind).toEqual([]);
});

test('every committed page belongs to a module', async () => {
  const folder = fileURLToPath(new URL('docs/generated/sql/', root));
  const pages = await readdir(folder);
  expect(pages.filter((page) => !files.has(`docs/generated/sql/${page}`))).toEqual([]);
});

test('every statement that writes names its guard', () => {
  // Other test files of the same worker make statements of their own.
  const own = madeStatements().filter(({ name }) => !name.startsWith('test_'));
  expect(own.filter(isUnguarded)).toEqual([]);
});
