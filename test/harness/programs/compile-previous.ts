import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { compilePrograms, ourPackages } from '../../../tools/compile-programs.ts';
import { whole } from './compile-program.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const migrations = 'service/migrations';

const git = async (...words: readonly string[]): Promise<string> =>
  (await run('git', words, { cwd: root })).stdout.trim();

/**
 * The commit of the last release. Before there is one, a migration may be edited in place, and a database of
 * before is made anew: then the commit that did so last, which is the first that this tree can run beside.
 */
const previousCommit = async (): Promise<string> => {
  const released = `${migrations}/released.sha256`;
  const isReleased = /^[0-9a-f]{64} /m.test(await readFile(join(root, released), 'utf8'));
  const which = isReleased ? [released] : ['--diff-filter=MDR', `${migrations}/*.sql`];
  const [paths, filters] = [which.slice(-1), which.slice(0, -1)];
  return git('log', '-1', '--format=%h', ...filters, '--', ...paths);
};

export type PreviousRelease = {
  readonly commit: string;
  /** A program of it, compiled. */
  readonly compile: (path: string) => Promise<string>;
};

/** Its programs, from its own sources with the packages that are installed now. */
export const compilePrevious = async (paths: readonly string[]): Promise<PreviousRelease> => {
  const commit = await previousCommit();
  const tree = await mkdtemp(join(inject('compiledPrograms'), 'previous-'));
  const outdir = join(tree, 'compiled');
  await run('sh', ['-ec', `git archive ${commit} | tar -x -C '${tree}'`], { cwd: root });
  await mkdir(outdir);
  // Some packages are not at the root.
  await symlink(join(root, 'service/node_modules'), join(tree, 'service/node_modules'));
  await compilePrograms(paths, outdir, {
    ...whole,
    entryPoints: paths.map((path) => join(tree, path)),
    outbase: tree,
    alias: ourPackages(tree),
  });
  return { commit, compile: async (path) => join(outdir, path.replace(/\.ts$/, '.mjs')) };
};
