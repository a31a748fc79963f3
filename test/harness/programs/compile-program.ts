import { randomUUID } from 'node:crypto';
import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { inject } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

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
 * Bundles a program and its libraries into one file, which starts in a fraction of the time: a test that
 * kills and starts programs would spend most of its time reading sources.
 */
export const compileProgram = (path: string): Promise<string> => {
  const known = compiled.get(path) ?? compile(path);
  compiled.set(path, known);
  return known;
};

// Libraries that read files beside their own: programs, fonts, WebAssembly.
const withFilesOfTheirOwn = ['esbuild', '@resvg/*', 'libxml2-wasm'];

// What a library in CommonJS expects to be there.
const commonJsNames = `
const require = (await import('node:module')).createRequire(import.meta.url);
const __filename = require('node:url').fileURLToPath(import.meta.url);
const __dirname = require('node:path').dirname(__filename);`;

const compile = async (path: string): Promise<string> => {
  const file = join(inject('compiledPrograms'), `${path.replaceAll('/', '-')}.mjs`);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return file;
  const { outputFiles } = await build({
    entryPoints: [join(root, path)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: withFilesOfTheirOwn,
    banner: { js: commonJsNames },
    alias: {
      '@florin/contract': join(root, 'contract'),
      '@florin/checkout': join(root, 'web/checkout/src/index.ts'),
      '@florin/dashboard/bundle.ts': join(root, 'web/dashboard/bundle/index.ts'),
    },
    plugins: [preserveImportMetaUrl],
    logLevel: 'error',
  });
  const text = outputFiles[0]?.text ?? '';
  // Another worker may compile the same at the same moment.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, file);
  return file;
};
