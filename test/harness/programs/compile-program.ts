import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, 'node_modules/.cache/florin-test-programs');

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

const compiled = new Map<string, Promise<string>>();

/**
 * Bundles a program into one file, which starts in a third of the time: a test that kills and starts
 * programs would spend most of its time reading sources. Libraries are not bundled.
 */
export const compileProgram = (path: string): Promise<string> => {
  const known = compiled.get(path) ?? compile(join(root, path));
  compiled.set(path, known);
  return known;
};

const compile = async (path: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: {
      '@florin/contract': join(root, 'contract'),
      '@florin/checkout': join(root, 'web/checkout/src/index.ts'),
    },
    plugins: [preserveImportMetaUrl],
    logLevel: 'error',
  });
  const text = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = join(folder, `${basename(path, '.ts')}-${hash}.mjs`);
  await mkdir(folder, { recursive: true });
  // Other test files compile the same at the same moment.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, file);
  return file;
};
