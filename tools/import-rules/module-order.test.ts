import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { modules } from './planted-imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The one list of the form `merchants < events < …` in a document. */
const orderIn = (text: string): readonly string[] => {
  const [, list = ''] = /^(?:Module order:|modules) +([a-z-]+(?: < [a-z-]+)+)/m.exec(text) ?? [];
  return list.split(' < ');
};

describe('the order of modules', () => {
  let folders: readonly string[];
  beforeAll(async () => {
    const entries = await readdir(`${root}service/src/modules`, { withFileTypes: true });
    folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  });

  test.each(['AGENTS.md', 'docs/ARCHITECTURE.md'])('is complete in %s', async (path) => {
    const order = orderIn(await readFile(root + path, 'utf8'));
    expect([...order].sort()).toEqual([...folders].sort());
    expect(order).toEqual(modules);
  });

  test('is read as it is written', () => {
    expect(orderIn('modules    one < two-three\nrails')).toEqual(['one', 'two-three']);
    expect(orderIn('Module order: one < two.')).toEqual(['one', 'two']);
  });
});
