import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';

export type ImportKind =
  | 'local'
  | 'aliased-subpath-import'
  | 'core'
  | 'npm'
  | 'npm-dev'
  | 'npm-no-pkg'
  | 'type-only'
  | 'unresolved';

/** One file imports another, by paths below the root; of a package the folder is enough. */
export type Import = {
  readonly from: string;
  readonly to: string;
  readonly kinds: readonly ImportKind[];
};

type Package = {
  readonly name?: string;
  readonly imports?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

const leftOut = /(^|\/)(\.florin|generated|fixtures)(\/|$)/;
const isSource = /\.(ts|tsx|mjs|cjs|js)$/;
const isOfTypes = /^(?:import|export) type\b/;
const typeOnly: ImportKind = 'type-only';
// A statement begins its line, as the formatter leaves it.
const statements = new RegExp(
  [
    /^(?:import|export)\b[^'";=]*?\bfrom '([^'$]+)'/,
    /^import '([^'$]+)'/,
    /\bimport\('([^'$]+)'\)/,
    /\brequire\('([^'$]+)'\)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/** The imports of all files in these folders below the root. */
export const readImports = (root: string, folders: readonly string[]): readonly Import[] => {
  const readPackage = packageReader(root);
  return folders
    .flatMap((folder) =>
      listSources(root, folder).flatMap((from) =>
        [...readFileSync(join(root, from), 'utf8').matchAll(statements)].map((found) => {
          const name = found.slice(1).find((each) => each !== undefined) ?? '';
          const { to, kinds } = resolve(root, from, name, readPackage);
          return { from, to, kinds: isOfTypes.test(found[0]) ? [...kinds, typeOnly] : kinds };
        }),
      ),
    )
    .filter(({ to }) => !leftOut.test(to));
};

const listSources = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (leftOut.test(path) || entry.name === 'node_modules') return [];
    if (entry.isDirectory()) return listSources(root, path);
    return isSource.test(path) ? [path] : [];
  });

type Target = Omit<Import, 'from'>;
type ReadPackage = (folder: string) => { readonly folder: string; readonly content: Package };

const resolve = (root: string, from: string, name: string, read: ReadPackage): Target => {
  const own = read(dirname(from));
  if (name.startsWith('.')) return fileTarget(root, posix.join(dirname(from), name), ['local']);
  if (name.startsWith('#')) {
    const path = replaceAlias(name, own.content.imports ?? {});
    if (path === null) return { to: name, kinds: ['unresolved'] };
    return fileTarget(root, posix.join(own.folder, path), ['aliased-subpath-import']);
  }
  const bare = name.replace(/^node:/, '');
  if (builtinModules.includes(bare)) return { to: bare, kinds: ['core'] };
  return packageTarget(root, name, own, read);
};

const fileTarget = (root: string, to: string, kinds: readonly ImportKind[]): Target =>
  existsSync(join(root, to)) ? { to, kinds } : { to, kinds: ['unresolved'] };

const replaceAlias = (name: string, aliases: Readonly<Record<string, string>>): string | null => {
  for (const [alias, path] of Object.entries(aliases)) {
    const start = alias.replace(/\*$/, '');
    if (name.startsWith(start)) return path.replace('*', name.slice(start.length));
  }
  return null;
};

const workspaces = ['contract', 'service', 'simulator', 'web/checkout', 'web/dashboard'];

const packageTarget = (
  root: string,
  name: string,
  own: ReturnType<ReadPackage>,
  read: ReadPackage,
): Target => {
  const [, packageName = name, rest = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name) ?? [];
  const declared = declaredKind(own.content, packageName);
  for (const workspace of workspaces) {
    const { folder, content } = read(workspace);
    if (folder !== workspace || content.name !== packageName) continue;
    const path = content.exports?.[`.${rest}`] ?? `.${rest}`;
    return fileTarget(root, posix.join(workspace, path), [declared]);
  }
  const to = `node_modules/${packageName}/`;
  // npm puts a package beside its workspace where another one needs it in another version.
  const beside = posix.join(own.folder, to);
  return existsSync(join(root, beside))
    ? { to, kinds: [declared] }
    : fileTarget(root, to, [declared]);
};

const declaredKind = (own: Package, name: string): ImportKind => {
  if (own.dependencies?.[name] !== undefined) return 'npm';
  return own.devDependencies?.[name] === undefined ? 'npm-no-pkg' : 'npm-dev';
};

/** The package that a folder belongs to: its own package.json or the nearest above it. */
const packageReader = (root: string): ReadPackage => {
  const known = new Map<string, ReturnType<ReadPackage>>();
  const read: ReadPackage = (folder) => {
    const found = known.get(folder) ?? find(folder);
    known.set(folder, found);
    return found;
  };
  const find = (folder: string): ReturnType<ReadPackage> => {
    const file = join(root, folder, 'package.json');
    if (existsSync(file)) return { folder, content: JSON.parse(readFileSync(file, 'utf8')) };
    return folder === '.' ? { folder, content: {} } : read(dirname(folder));
  };
  return read;
};
