import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listDocuments } from './list-source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A document may leave out the folders that most of its paths begin with. Addresses begin with a slash. */
const startingPoints = ['', 'docs/', 'service/src/', 'service/src/modules/'];

const namedPaths = (text: string): readonly string[] =>
  [...text.matchAll(/`([\w.][\w./-]*\/[\w.-]*)`/g)].map(([, path = '']) => path);

const missingPaths = (text: string): readonly string[] =>
  namedPaths(text).filter(
    (path) => !startingPoints.some((start) => existsSync(root + start + path)),
  );

const documents = [
  ...['ARCHITECTURE', 'CHANGING', 'OPERATING', 'SUPPORT', 'WHY-TOTALS-DIFFER'].map(
    (name) => `docs/${name}.md`,
  ),
  'AGENTS.md',
  'README.md',
];

test.each(documents)('every path named in %s exists', async (path) => {
  const text = await readFile(root + path, 'utf8');
  expect(namedPaths(text).length).toBeGreaterThan(5);
  expect(missingPaths(text)).toEqual([]);
});

test('every file that the README of the demo shop names is one of its own', async () => {
  const text = await readFile(`${root}demo-shop/README.md`, 'utf8');
  const named = [...text.matchAll(/`([\w-]+\.ts)`/g)].map(([, name = '']) => name);
  const files = (await readdir(`${root}demo-shop`)).filter((name) => name.endsWith('.ts'));
  expect([...new Set(named)].sort()).toEqual(files.sort());
});

test('a missing path is found', () => {
  expect(missingPaths('`payments/index.ts` and `payments/gone.ts`')).toEqual(['payments/gone.ts']);
});

test('a picture is kept only while a page shows it, and at most twelve are', async () => {
  const texts = listDocuments(root).map(({ text }) => text);
  const pictures = await readdir(`${root}docs/pictures`);
  const unseen = pictures.filter(
    (name) => !texts.some((text) => text.includes(`docs/pictures/${name}`)),
  );
  expect(unseen).toEqual([]);
  expect(pictures.length).toBeLessThanOrEqual(12);
});

test('the README has at most a hundred lines', async () => {
  const text = await readFile(`${root}README.md`, 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
});
