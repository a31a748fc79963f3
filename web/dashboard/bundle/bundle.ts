import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Bundle = {
  /** Stands in the page for the nonce, which is new in each reply. */
  readonly nonceMark: string;
  readonly page: string;
  /** The same for the sign-in, with `%why%` where it is said why it is asked for. */
  readonly signInPage: string;
  /** By name below `/dashboard/assets/`; a name holds the hash of the content. */
  readonly assets: ReadonlyMap<string, BundleFile>;
  /** What a first visit loads, by page: files of the entry and of that page's own code. */
  readonly firstLoads: Readonly<Record<string, readonly string[]>>;
};

/** A file in each form in which it is served: every one of them is made once, by the build. */
export type BundleFile = {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
};

export const nonceMark = 'florin-nonce-of-this-reply';

type Listed = Pick<Bundle, 'page' | 'signInPage' | 'firstLoads'> & {
  readonly names: readonly string[];
};

/** Null when it is not there, or not whole. */
export const readBundle = async (folder: string): Promise<Bundle | null> => {
  const read = (name: string) => readFile(join(folder, name));
  try {
    const { page, signInPage, firstLoads, names }: Listed = JSON.parse(
      String(await read(listName)),
    );
    const files = await Promise.all(
      names.map(async (name): Promise<readonly [string, BundleFile]> => {
        const forms = [read(name), read(`${name}.gz`), read(`${name}.br`)] as const;
        const [plain, gzip, br] = await Promise.all(forms);
        return [name, { plain, gzip, br }];
      }),
    );
    return { page, signInPage, nonceMark, firstLoads, assets: new Map(files) };
  } catch {
    return null;
  }
};

/** Under its final name only when it is whole: another process may make or read the same. */
export const writeBundle = async (folder: string, bundle: Bundle): Promise<void> => {
  const draft = `${folder}-${randomUUID()}`;
  const { page, signInPage, firstLoads, assets } = bundle;
  const listed: Listed = { page, signInPage, firstLoads, names: [...assets.keys()] };
  await mkdir(draft, { recursive: true });
  const files = [...assets].flatMap(([name, { plain, gzip, br }]) => [
    writeFile(join(draft, name), plain),
    writeFile(join(draft, `${name}.gz`), gzip),
    writeFile(join(draft, `${name}.br`), br),
  ]);
  await Promise.all([...files, writeFile(join(draft, listName), JSON.stringify(listed))]);
  try {
    await rename(draft, folder);
  } catch {
    // Another process has made the same; what was not whole makes way.
    if (!(await readBundle(folder))) {
      await rm(folder, { recursive: true, force: true });
      await rename(draft, folder);
    }
    await rm(draft, { recursive: true, force: true });
  }
};

const listName = 'bundle.json';

const dashboard = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Of all that the bundle is made of: the dashboard, the contract and the packages. */
export const hashSources = async (): Promise<string> => {
  const sources = [
    ...(await listFiles(join(dashboard, 'src'))),
    ...(await listFiles(join(dashboard, 'bundle'))),
    ...(await listFiles(join(root, 'contract'))),
    join(dashboard, 'index.html'),
    join(dashboard, 'package.json'),
    join(root, 'package-lock.json'),
  ];
  const texts = await Promise.all(sources.map((path) => readFile(path)));
  const hash = createHash('sha256');
  for (const [position, path] of sources.entries()) {
    const text = texts[position] ?? Buffer.alloc(0);
    hash.update(`${relative(root, path)} ${text.length}\n`).update(text);
  }
  return hash.digest('hex').slice(0, hashLength);
};

const hashLength = 16;

const listFiles = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .filter((entry) => !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
};
