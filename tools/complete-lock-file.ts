import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Entry = {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly dev?: boolean;
};
type Packages = Readonly<Record<string, Entry>>;

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * A registry without packages for foreign systems makes npm leave them out of the lock file, and
 * `npm ci` then rejects the file. Their names contain everything that an entry needs.
 */
export const completeLockFile = (packages: Packages): Packages => {
  const missing: Record<string, Entry> = {};
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const isThere = packages[`node_modules/${name}`] ?? packages[`${path}/node_modules/${name}`];
      if (!isThere) missing[`node_modules/${name}`] = describe(name, version, entry.dev);
    }
  }
  return missing;
};

const describe = (name: string, version: string, dev: boolean | undefined): Entry => {
  const words = name.split(/[/-]/);
  const only = (known: readonly string[]) => known.filter((word) => words.includes(word));
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : undefined;
  const entry = { version, cpu: only(processors), dev, libc, optional: true, os: only(systems) };
  return entry as Entry;
};

/**
 * Names the archive of each package where the public registry has it; npm asks its own registry instead.
 * Without the name npm asks for every package first where its archive is: twice the requests.
 */
export const nameArchives = (packages: Packages): Packages =>
  Object.fromEntries(
    Object.entries(packages).map(([path, entry]) => {
      const name = /.*node_modules\/(.+)$/.exec(path)?.[1];
      if (!name || entry.link || entry.resolved) return [path, entry];
      const { version, ...others } = entry;
      const archive = `${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
      return [path, { version, resolved: `https://registry.npmjs.org/${archive}`, ...others }];
    }),
  );

/**
 * Without the peers that a package may do without. npm installs those that only tests need with the program
 * otherwise: a third of its bytes.
 */
export const withoutOptionalPeers = (packages: Packages): Packages =>
  Object.fromEntries(
    Object.entries(packages).map(([path, { peerDependenciesMeta: meta = {}, ...entry }]) => {
      const peers = Object.entries(entry.peerDependencies ?? {});
      const needed = peers.filter(([name]) => !meta[name]?.optional);
      const peerDependencies = needed.length > 0 ? Object.fromEntries(needed) : undefined;
      return [path, peers.length > 0 ? { ...entry, peerDependencies } : entry];
    }),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const whole = { ...lock.packages, ...completeLockFile(lock.packages) };
  const packages = nameArchives(withoutOptionalPeers(whole));
  const entries = Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1));
  lock.packages = Object.fromEntries(entries);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
