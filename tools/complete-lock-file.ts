import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Entry = {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const entries = Object.entries({ ...lock.packages, ...completeLockFile(lock.packages) });
  lock.packages = Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
