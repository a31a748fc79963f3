import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hashSources, writeBundle } from '@florin/dashboard/bundle.ts';
import { openBundle, prebuilt } from '../../service/src/programs/dashboard/open-bundle.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** What is committed, with the dashboard built from it, as one archive. Answers its path. */
export const makeRelease = async (folder: string): Promise<string> => {
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const top = `${name}-${version}/`;
  const hash = await hashSources();
  const bundle = join(folder, hash);
  await writeBundle(bundle, await openBundle());
  const archive = join(folder, `${name}-${version}.tar.gz`);
  const built = (await readdir(bundle)).map((file) => `--add-file=${join(bundle, file)}`);
  // A file goes below the prefix that stands before it.
  const below = `--prefix=${top}${prebuilt}/${hash}/`;
  const options = ['--format=tar.gz', `--output=${archive}`, below, ...built, `--prefix=${top}`];
  await run('git', ['archive', ...options, 'HEAD'], { cwd: root });
  return archive;
};

/** Files that differ from the commit: the bundle would hold them, and the sources beside it not. */
export const listUncommitted = async (): Promise<readonly string[]> => {
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: root });
  return stdout.split('\n').filter((line) => line !== '');
};
