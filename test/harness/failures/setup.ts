import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../../contract/operations.ts';
import { isWholeRun, listUnseenFailures } from './list-unseen-failures.ts';
import { seenFolderSetting } from './record-failures.ts';

let folder = '';

/** After a run of all tests, requires that some test saw every failure that an operation names. */
export const setup = async (): Promise<void> => {
  folder = await mkdtemp(join(tmpdir(), 'florin-failures-'));
  process.env[seenFolderSetting] = folder;
};

export const teardown = async (): Promise<void> => {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  await rm(folder, { recursive: true });
  const unseen = listUnseenFailures(operations, new Set(texts.flatMap((text) => text.split('\n'))));
  if (unseen.length === 0 || !isWholeRun(process.argv.slice(2))) return;
  // vitest prints what a teardown throws, and would still end with success.
  process.exitCode = 1;
  throw new Error(`failures that the contract names and no test saw:\n${unseen.join('\n')}`);
};
