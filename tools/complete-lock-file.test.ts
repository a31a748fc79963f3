import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { completeLockFile, nameArchives, withoutOptionalPeers } from './complete-lock-file.ts';

test('the lock file has packages of every system, and says where each archive is', async () => {
  const file = new URL('../package-lock.json', import.meta.url);
  const { packages } = JSON.parse(await readFile(file, 'utf8'));
  expect(completeLockFile(packages)).toEqual({});
  expect(nameArchives(packages)).toEqual(packages);
  expect(withoutOptionalPeers(packages)).toEqual(packages);
});
