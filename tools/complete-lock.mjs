import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * A registry that keeps no packages for foreign systems makes npm leave them out of the lock file,
 * and `npm ci` then calls the file out of step. Their names tell all that an entry needs.
 */
export const findMissing = ({ packages }) => {
  const missing = {};
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const isThere = packages[`node_modules/${name}`] ?? packages[`${path}/node_modules/${name}`];
      if (!isThere) missing[`node_modules/${name}`] = describe(name, version, entry.dev);
    }
  }
  return missing;
};

const describe = (name, version, dev) => {
  const words = name.split(/[/-]/);
  const only = (known) => known.filter((word) => words.includes(word));
  const libc = words.includes('musl') || words.includes('musleabihf') ? ['musl'] : undefined;
  return { version, cpu: only(processors), dev, libc, optional: true, os: only(systems) };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const entries = Object.entries({ ...lock.packages, ...findMissing(lock) });
  lock.packages = Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
