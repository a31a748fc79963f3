import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { inject } from 'vitest';
import { compilePrograms } from '../../../tools/compile-programs.ts';
import { waitUntil } from '../wait-until.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let compiled: Promise<void> | undefined;

/**
 * Bundles a program with its libraries, which starts in a fraction of the time: a test that kills and
 * starts programs would spend most of its time reading sources.
 */
export const compileProgram = async (path: string): Promise<string> => {
  const folder = inject('compiledPrograms');
  compiled ??= compileOnce(folder);
  await compiled;
  return join(folder, path.replace(/\.ts$/, '.mjs'));
};

/** The first worker of the run compiles for all. */
const compileOnce = async (folder: string): Promise<void> => {
  const isReady = join(folder, 'ready');
  const isFirst = await mkdir(join(folder, 'begun')).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await compileAll(folder);
    return writeFile(isReady, '');
  }
  await waitUntil(() => access(isReady).then(() => true), { withinMs: 60_000 });
};

// Libraries that read files beside their own: programs, fonts, WebAssembly.
const withFilesOfTheirOwn = ['esbuild', '@resvg/*', 'libxml2-wasm'];

// What a library in CommonJS expects to be there.
const commonJsNames = `
const require = (await import('node:module')).createRequire(import.meta.url);
const __filename = require('node:url').fileURLToPath(import.meta.url);
const __dirname = require('node:path').dirname(__filename);`;

/** With their libraries. */
export const whole = {
  packages: 'bundle',
  external: withFilesOfTheirOwn,
  define: { florinCommit: '"of tests"' },
  banner: { js: commonJsNames },
} as const satisfies BuildOptions;

/** All at once: they share most of their modules, and nine builds took four times the CPU of one. */
const compileAll = async (outdir: string): Promise<void> => {
  await compilePrograms(await findPrograms(), outdir, whole);
};

/** The product's programs, the simulator, and those that tests start to kill them. */
const findPrograms = async (): Promise<string[]> => {
  const list = async (folder: string, ends: string): Promise<readonly string[]> =>
    (await readdir(join(root, folder), { recursive: true }))
      .filter((path) => path.endsWith(ends) && !path.includes('node_modules'))
      .map((path) => join(folder, path));
  const programs = (await readdir(join(root, 'service/src/programs')))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join('service/src/programs', name));
  return [
    'simulator/src/start.ts',
    ...programs,
    ...(await list('test', '.test-program.ts')),
    ...(await list('service/src', '.test-program.ts')),
  ];
};
