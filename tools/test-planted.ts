import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { edited, type Mistake, mistakes } from './planted-mistakes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = 'test/simulation/vitest.config.ts';
// The same sequences each time. Some mistakes show in few of them: a race has to meet a short account.
const [runs, seed] = ['30', '1'];

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

type Ended = { readonly status: number | null; readonly said: string };

/** Ends at the first failure: no further sequence, and no search for a shorter one. */
const run = (folder: string, words: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, MODEL_RUNS: runs, MODEL_SEED: seed, NO_COLOR: '1' };
    const child = spawn(process.execPath, [vitest, 'run', ...words], { cwd: folder, env });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
    child.once('error', reject).once('close', (status) => resolve({ status, said }));
  });

const runModel = (folder: string): Promise<Ended> =>
  run(folder, ['--config', config, '-t', 'sequences']);

/** Where it was found; null when it was not, or the run failed before it could be. */
const findIn = async (folder: string, { foundBy }: Mistake): Promise<string | null> => {
  const { status, said } = foundBy ? await run(folder, [foundBy]) : await runModel(folder);
  if (status === 0) return null;
  if (foundBy) return said.includes(`FAIL  ${foundBy}`) ? foundBy : null;
  const [, sequence] = /Property failed after (\d+) tests/.exec(said) ?? [];
  return sequence ? `sequence ${sequence} of ${runs}` : null;
};

/** A copy of the sources of its own, so that no mistake is ever in the tree that is worked on. */
const copySources = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-planted-'));
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const path of listed.stdout.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** What is to be written, and what it was. */
const editedFiles = (folder: string, { edits }: Mistake) =>
  [...new Set(edits.map(({ path }) => path))].map((path) => {
    const original = readFileSync(join(folder, path), 'utf8');
    const own = edits.filter((edit) => edit.path === path);
    return { place: join(folder, path), original, text: edited(original, path, own) };
  });

const isFound = async (folder: string, mistake: Mistake): Promise<boolean> => {
  const startedAt = performance.now();
  const files = editedFiles(folder, mistake);
  for (const { place, text } of files) writeFileSync(place, text);
  const where = await findIn(folder, mistake);
  for (const { place, original } of files) writeFileSync(place, original);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const said = where === null ? 'MISSED ' : 'found  ';
  process.stdout.write(`${said} ${mistake.name}, ${seconds} s${where ? `, ${where}` : ''}\n`);
  return where !== null;
};

/** The words name mistakes by a part of their names; without any, all are planted. */
const chosen = (words: readonly string[]): readonly Mistake[] =>
  words.length === 0
    ? mistakes
    : mistakes.filter(({ name }) => words.some((word) => name.includes(word)));

const needPassing = async (folder: string, planted: readonly Mistake[]): Promise<void> => {
  const journeys = planted.flatMap(({ foundBy }) => foundBy ?? []);
  const passes = [
    ...(journeys.length < planted.length ? [() => runModel(folder)] : []),
    ...(journeys.length > 0 ? [() => run(folder, journeys)] : []),
  ];
  for (const { status, said } of await Promise.all(passes.map((pass) => pass())))
    if (status !== 0) throw new Error(`It fails without a mistake:\n${said}`);
};

/** How many were missed. Two at a time: each takes one core. */
const countMissed = async (planted: readonly Mistake[]): Promise<number> => {
  if (planted.length === 0) throw new Error('No mistake has such a name.');
  for (const mistake of planted) editedFiles(root, mistake);
  const folders = [copySources(), copySources()] as const;
  try {
    await needPassing(folders[0], planted);
    const left = [...planted];
    const missed = await Promise.all(
      folders.map(async (folder) => {
        let count = 0;
        for (let next = left.shift(); next; next = left.shift())
          if (!(await isFound(folder, next))) count += 1;
        return count;
      }),
    );
    return missed.reduce((sum, count) => sum + count, 0);
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
};

process.exitCode = (await countMissed(chosen(process.argv.slice(2)))) > 0 ? 1 : 0;
