import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin, stop } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files next to a source are still found from the compiled program. */
const preserveImportMetaUrl: Plugin = {
  name: 'preserve-import-meta-url',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};

/** Where they are in a tree of our sources. */
export const ourPackages = (tree: string) => ({
  '@florin/contract': join(tree, 'contract'),
  '@florin/checkout': join(tree, 'web/checkout/src/index.ts'),
  '@florin/dashboard': join(tree, 'web/dashboard/bundle'),
});

/** How our sources become programs for Node; packages stay where they are. */
export const withSources = {
  bundle: true,
  splitting: true,
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  alias: ourPackages(root),
  logLevel: 'error',
} as const satisfies BuildOptions;

/**
 * Bundles programs into a folder, each at its own path with the ending `.mjs`. Their packages stay where
 * they are, so the folder must be one of those below `node_modules`; `more` are options of esbuild.
 */
export const compilePrograms = (
  paths: readonly string[],
  outdir: string,
  more: BuildOptions = {},
) =>
  build({
    ...withSources,
    entryPoints: paths.map((path) => join(root, path)),
    outdir,
    outbase: root,
    plugins: [preserveImportMetaUrl],
    ...more,
  });

// Below the packages of the service: some are there and not at the root, such as the one that signs in.
const cache = join(root, 'service', 'node_modules', '.cache', 'florin-programs');

/**
 * Answers the path of a compiled program of the service; `start` has the simulator beside it. It starts
 * sooner than from its sources and in less memory (`docs/decisions/0011-start-and-packages.md`).
 */
const compileProgram = async (name: string): Promise<string> => {
  const paths = [`service/src/programs/${name}.ts`];
  if (name === 'start') paths.push('simulator/src/start.ts');
  const outdir = join(cache, name);
  const maps = { sourcemap: 'linked', sourcesContent: false } as const;
  const { outputFiles = [] } = await compilePrograms(paths, outdir, { write: false, ...maps });
  await mkdir(outdir, { recursive: true });
  for (const { path, contents } of outputFiles) await writeWhole(path, contents);
  const written = new Set(outputFiles.map(({ path }) => path));
  for (const file of await readdir(outdir))
    if (/\.mjs(\.map)?$/.test(file) && !written.has(join(outdir, file)))
      await rm(join(outdir, file), { force: true });
  return join(outdir, 'service', 'src', 'programs', `${name}.mjs`);
};

/** Another start may read it, or write the same. */
const writeWhole = async (path: string, contents: Uint8Array): Promise<void> => {
  const present = await readFile(path).catch(() => null);
  if (present?.equals(contents)) return;
  await mkdir(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${basename(path)}-${process.pid}`);
  await writeFile(draft, contents);
  await rename(draft, path);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name = 'start'] = process.argv;
  // Where the installation is closed to writing, the sources run as they are.
  const path = await compileProgram(name).catch((error: NodeJS.ErrnoException) => {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')) throw error;
    return join(root, 'service', 'src', 'programs', `${name}.ts`);
  });
  await stop();
  process.stdout.write(path);
}
