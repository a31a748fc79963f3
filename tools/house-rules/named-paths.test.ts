import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A document may leave out the folders that most of its paths begin with. */
const startingPoints = ['', 'service/src/', 'service/src/modules/'];

const namedPaths = (text: string): readonly string[] =>
  [...text.matchAll(/`([\w./-]+\/[\w.-]*)`/g)].map(([, path = '']) => path);

const missingPaths = (text: string): readonly string[] =>
  namedPaths(text).filter(
    (path) => !startingPoints.some((start) => existsSync(root + start + path)),
  );

test.each(['docs/ARCHITECTURE.md', 'AGENTS.md'])('every path named in %s exists', async (path) => {
  const text = await readFile(root + path, 'utf8');
  expect(namedPaths(text).length).toBeGreaterThan(5);
  expect(missingPaths(text)).toEqual([]);
});

test('a missing path is found', () => {
  expect(missingPaths('`payments/index.ts` and `payments/gone.ts`')).toEqual(['payments/gone.ts']);
});
