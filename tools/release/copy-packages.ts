import { cp, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { compiledIn } from './compile-release.ts';

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
};

export type Package = { readonly name: string; readonly version: string };

/** Ours are compiled into the programs, and what the bundler makes is made before. */
const isLeftOut = (name: string): boolean => name.startsWith('@florin/') || name === 'esbuild';

const readManifest = async (folder: string): Promise<Manifest | null> => {
  try {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  } catch {
    return null;
  }
};

/** As Node finds it: beside its user, or above. */
const findPackage = async (root: string, from: string, name: string): Promise<string | null> => {
  const found = join(from, 'node_modules', name);
  if (await readManifest(found)) return found;
  return from.length > root.length ? findPackage(root, dirname(from), name) : null;
};

/** What a package loads when it runs; a package for another system is not installed. */
const listNeeded = ({ dependencies, optionalDependencies, ...peers }: Manifest) => {
  const required = Object.keys(peers.peerDependencies ?? {}).filter(
    (name) => !peers.peerDependenciesMeta?.[name]?.optional,
  );
  const may = new Set(Object.keys(optionalDependencies ?? {}));
  const names = [...Object.keys(dependencies ?? {}), ...required].filter((name) => !may.has(name));
  return { names, may: [...may] };
};

type Found = Map<string, Package>;

const addPackage = async (root: string, found: Found, from: string, name: string) => {
  const place = await findPackage(root, from, name);
  const manifest = place && (await readManifest(place));
  if (!place || !manifest) return false;
  if (found.has(place)) return true;
  found.set(place, { name: manifest.name, version: manifest.version });
  await addNeeded(root, found, place, manifest);
  return true;
};

const addNeeded = async (root: string, found: Found, from: string, manifest: Manifest) => {
  const { names, may } = listNeeded(manifest);
  for (const name of names.filter((each) => !isLeftOut(each)))
    if (!(await addPackage(root, found, from, name)))
      throw new Error(`${name}, which ${from} needs, is not installed.`);
  for (const name of may) await addPackage(root, found, from, name);
};

/** The folders of all packages that these workspaces need to run, each once. */
const findPackages = async (root: string, workspaces: readonly string[]): Promise<Found> => {
  const found: Found = new Map();
  for (const workspace of workspaces) {
    const folder = join(root, workspace);
    const manifest = await readManifest(folder);
    if (!manifest) throw new Error(`${folder} has no package.json.`);
    // Its own optional packages are a database server for each system.
    await addNeeded(root, found, folder, { ...manifest, optionalDependencies: {} });
  }
  return found;
};

// Of no use to a program that runs: sources, types, maps, texts, and forms of a package for browsers.
const useless = /\.([cm]?ts|map|md|markdown|flow|tsbuildinfo|standalone\.js|min\.js)$/;
// OpenTelemetry's `esm` and `esnext` are for bundlers: Node loads `src`.
const uselessFolder = /^(test|tests|docs|examples?|benchmarks?|\.\w+|build\/(esm|esnext))$/;
const namesLicence = /^(package\.json|licen[cs]e.*)$/i;
// Pictures with text are drawn in two of DejaVu, papers in two of Noto Sans.
const otherFonts = new RegExp(
  [
    String.raw`dejavu-fonts-ttf/ttf/(?!DejaVuSans(-Bold)?\.ttf$).+`,
    String.raw`noto-sans/(?!(400Regular|700Bold)(/\w+\.ttf)?$)\d.+`,
  ].join('|'),
);

/** Copies them to the same places below a folder, and answers which; of what is compiled in, its licence. */
export const copyPackages = async (
  root: string,
  workspaces: readonly string[],
  folder: string,
): Promise<readonly Package[]> => {
  const found = await findPackages(root, workspaces);
  for (const [place, { name }] of found) {
    const isWanted = (path: string): boolean => {
      const below = relative(place, path);
      if (compiledIn.includes(name)) return below === '' || namesLicence.test(below);
      const isOther = uselessFolder.test(below) || below.startsWith('node_modules');
      return !(isOther || useless.test(path) || otherFonts.test(path));
    };
    await cp(place, join(folder, relative(root, place)), { recursive: true, filter: isWanted });
  }
  return [...found.values()];
};
