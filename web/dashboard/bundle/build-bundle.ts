import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Rolldown } from 'vite';
import { type Bundle, type BundleFile, nonceMark } from './bundle.ts';
import { pruneStyles } from './prune-styles.ts';
import { buildSignIn } from './sign-in-page.ts';
import { thinContract } from './thin-contract.ts';

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** Builds the dashboard in memory; throws the bundler's sentence when a source is wrong. */
export const buildBundle = async (): Promise<Bundle> => {
  const [files, signIn] = [readFiles(await runVite()), await buildSignIn()];
  const page = files.find(({ name }) => name === 'index.html');
  if (!page) throw new Error('The bundler made no page.');
  const made = files.filter((file) => file !== page).map(withOwnStyles(files));
  const assets = await Promise.all(
    made.map(async ({ name, bytes }) => [baseName(name), await compress(bytes)] as const),
  );
  const signInScript = await compress(Buffer.from(signIn.script));
  const font = baseName(made.find(isFont)?.name ?? '');
  return {
    page: made.reduce((html, { name, was }) => html.replaceAll(was, name), String(page.bytes)),
    signInPage: signIn.page.replaceAll('%font%', font),
    nonceMark,
    assets: new Map([...assets, [signIn.name, signInScript]]),
    firstLoads: { ...listFirstLoads(made), 'sign-in-page': [signIn.name, font] },
  };
};

type Made = {
  readonly name: string;
  /** Before its content was changed, and so its name. */
  readonly was: string;
  readonly bytes: Buffer;
  readonly chunk: Rolldown.OutputChunk | null;
};

const readFiles = (output: readonly Output[]): readonly Made[] =>
  output.map((file) => ({
    name: file.fileName,
    was: file.fileName,
    bytes: Buffer.from(file.type === 'chunk' ? file.code : file.source),
    chunk: file.type === 'chunk' ? file : null,
  }));

const isFont = ({ name }: Pick<Made, 'name'>): boolean => name.endsWith('.woff2');

const baseName = (name: string): string => name.replace(/^assets\//, '');

/** Styles lose what no script names, and get a name that has the hash of what is left. */
const withOwnStyles =
  (files: readonly Made[]) =>
  (file: Made): Made => {
    if (!file.name.endsWith('.css')) return file;
    const scripts = files.filter(({ chunk }) => chunk).map(({ bytes }) => String(bytes));
    if (scripts.some((script) => script.includes(baseName(file.name))))
      throw new Error(`A script names ${file.name}, which gets another name.`);
    const text = pruneStyles(String(file.bytes), scripts);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, hashLength);
    return { ...file, bytes: Buffer.from(text), name: `assets/style-${hash}.css` };
  };

const hashLength = 12;

const runVite = async (): Promise<readonly Output[]> => {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    base: '/dashboard/',
    logLevel: 'silent',
    html: { cspNonce: nonceMark },
    plugins: [thinContract()],
    build: {
      write: false,
      target: 'es2022',
      // An inlined file would be a data: address, which the security policy refuses.
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 10_000,
    },
  });
  return [built].flat().flatMap((each) => ('output' in each ? each.output : []));
};

const pack = { gzip: promisify(gzip), br: promisify(brotliCompress) };

const compress = async (plain: Buffer): Promise<BundleFile> => {
  const { BROTLI_PARAM_MODE, BROTLI_MODE_TEXT, BROTLI_PARAM_QUALITY } = constants;
  const params = { [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT, [BROTLI_PARAM_QUALITY]: brotliQuality };
  const [zipped, br] = await Promise.all([
    pack.gzip(plain, { level: gzipLevel }),
    pack.br(plain, { params }),
  ]);
  return { plain, gzip: zipped, br };
};

// One level below the best: a tenth of the time for two per cent more bytes.
const brotliQuality = 9;
const gzipLevel = 9;

/** The entry with all that it imports, the styles and the typeface, and for each page its own code. */
const listFirstLoads = (files: readonly Made[]): Bundle['firstLoads'] => {
  const chunks = new Map(
    files.flatMap(({ name, chunk }) => (chunk ? [[name, chunk] as const] : [])),
  );
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
  const styles = files.map(({ name }) => name).filter((name) => /\.(css|woff2)$/.test(name));
  const withImports = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const imported of chunks.get(name)?.imports ?? []) withImports(imported, seen);
    return seen;
  };
  const start = [...withImports(entry?.fileName ?? ''), ...styles];
  const pages = (entry?.dynamicImports ?? []).map((name) => {
    const loaded = new Set([...start, ...withImports(name)]);
    return [chunks.get(name)?.name ?? name, [...loaded].map(baseName)] as const;
  });
  return Object.fromEntries(pages);
};
