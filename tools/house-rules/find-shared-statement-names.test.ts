import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findSharedStatementNames } from './find-shared-statement-names.ts';
import { listSourceFiles } from './list-source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('no two files name a test statement alike', () => {
  const files = listSourceFiles(root);
  expect(files.length).toBeGreaterThan(100);
  expect(findSharedStatementNames(files)).toEqual([]);
});

test('finds a name that stands in two files, and not one that stands twice in one', () => {
  const count = `statement('${'test'}_count', sql()\`select 1\`)`;
  const one = { path: 'test/one.test.ts', text: count + count };
  const other = { path: 'test/other.test.ts', text: count };
  const name = `${'test'}_count`;
  expect(findSharedStatementNames([one])).toEqual([]);
  expect(findSharedStatementNames([one, other])).toEqual([{ name, paths: [one.path, other.path] }]);
});
