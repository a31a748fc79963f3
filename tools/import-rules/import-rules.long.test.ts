import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cruise } from './cruise.ts';
import { readImports } from './read-imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const parts = ['contract', 'service', 'simulator', 'web', 'test', 'tools'];

/** Of a package its folder: our own reader goes no deeper. */
const withoutDepth = (path: string): string =>
  path.replace(/^.*node_modules\/((?:@[^/]+\/)?[^/]+).*$/, 'node_modules/$1/');

test('our reader finds every import that dependency-cruiser finds', async () => {
  const ours = new Set(readImports(root, parts).map(({ from, to }) => `${from} -> ${to}`));
  const theirs = (await cruise(root, parts)).flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => `${source} -> ${withoutDepth(resolved)}`),
  );
  expect(theirs.length).toBeGreaterThan(5_000);
  const isRead = (one: string) => parts.some((part) => one.startsWith(`${part}/`));
  expect(theirs.filter((one) => isRead(one) && !ours.has(one))).toEqual([]);
});
