import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { withSources } from '../compile-programs.ts';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Programs of a release, by the names that an operator types. */
export const programs = {
  api: 'service/src/programs/api.ts',
  worker: 'service/src/programs/worker.ts',
  migrate: 'service/src/programs/migrate.ts',
  operator: 'service/src/programs/operate.ts',
  merchant: 'service/src/programs/configure-merchant.ts',
  'card-account': 'service/src/programs/manage-card-accounts.ts',
  audit: 'service/src/programs/audit.ts',
  backup: 'service/src/programs/backup.ts',
  doctor: 'service/src/programs/doctor.ts',
  'set-up': 'service/src/programs/set-up.ts',
  'promote-standby': 'service/src/programs/promote-standby.ts',
  'register-at-bank': 'service/src/programs/register-at-bank.ts',
  simulator: 'simulator/src/start.ts',
};

/** Where they stand below the root: here they find the packages of the service and of all. */
const programsFolder = 'service/programs';

/** Programs and their shared parts stand in one folder, so the root is equally far from each. */
const fromRoot = relative(programsFolder, '.');

/** Files next to a source are found at the same place of the release, wherever that is unpacked. */
const placeByRoot: Plugin = {
  name: 'place-by-root',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const place = JSON.stringify(join(fromRoot, relative(root, path)));
      return {
        contents: source.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
        loader: 'ts',
      };
    });
  },
};

/**
 * Packages of 900 small files: read one by one they took a third of a program's start, and 19 MB. A start
 * from a clone compiles each time, and would lose more by this than it gains.
 */
export const compiledIn: readonly string[] = ['typebox', 'stripe'];

const bundleManyFiles: Plugin = {
  name: 'bundle-many-files',
  setup: ({ onResolve }) => {
    onResolve({ filter: new RegExp(`^(${compiledIn.join('|')})(/|$)`) }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
    }));
  },
};

/**
 * V8 keeps the text of a program for as long as it runs: in one byte a letter, or in two where a single one
 * is not of Latin-1. The bundler leaves those of templates and patterns as they are.
 */
export const asAscii = (text: string): string =>
  text.replace(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Without source maps: names are kept, so what fails is found by them. */
export const compileRelease = async (folder: string, commit: string): Promise<void> => {
  const { outputFiles } = await build({
    ...withSources,
    entryPoints: Object.entries(programs).map(([out, path]) => ({ in: join(root, path), out })),
    outdir: join(folder, programsFolder),
    chunkNames: 'part-[hash]',
    define: { florinCommit: JSON.stringify(commit) },
    plugins: [bundleManyFiles, placeByRoot],
    write: false,
  });
  await mkdir(join(folder, programsFolder), { recursive: true });
  for (const { path, text } of outputFiles) await writeFile(path, asAscii(text));
};
