import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { personalData } from '../../service/src/programs/wiring/personal-data.ts';
import { tableLives } from '../../service/src/programs/wiring/table-lives.ts';
import { loadStatements } from './describe-statements.ts';

// `table-lives.ts` has every table of a migrated database: `maintain-tables.test.ts` compares them.
test('every table says once what becomes of a person in it', () => {
  const declared = personalData.map(({ table }) => table);
  expect([...declared].sort()).toEqual(Object.keys(tableLives).sort());
});

test('each table that is erased is written by the statement that it names', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const textOf = new Map((await loadStatements(root)).map(({ name, sql }) => [name, sql]));
  const named = personalData.filter(({ erasedBy }) => erasedBy !== null);
  const unwritten = named.filter(({ table, erasedBy }) => {
    const writes = new RegExp(`\\b(?:update|delete from) ${table}\\b`);
    return !writes.test(textOf.get(erasedBy ?? '') ?? '');
  });
  expect(named.length).toBeGreaterThan(20);
  expect(unwritten).toEqual([]);
});
