import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'node_modules', '.cache', 'florin-check.json');
const skipped = new Set(['node_modules', '.git', '.florin', 'coverage', 'dist']);
const isPicture = /\.(png|webp|jpg|ico)$/;

const hashOf = (content) => createHash('sha256').update(content).digest('base64url');

const walk = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name) && !isPicture.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path);
      return entry.isFile() ? [path] : [];
    });

const readMemory = () => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { checks: {}, files: {} };
  }
};

/** A change of these checks everything anew: settings, the versions of programs, the checks. */
const isShared = (path) => /^[^/]+\.(json|cjs)$|^tools\/check\.mjs$/.test(path);

/** What was green is not checked again until a file changes that the check reads. */
export const rememberGreen = () => {
  const memory = readMemory();
  const hashes = walk(root)
    .sort()
    .map((path) => [relative(root, path), hashOf(readFileSync(path))]);
  const shared = hashOf(process.version + hashes.filter(([path]) => isShared(path)));
  const keyOf = (check) =>
    hashOf(shared + check.args + hashes.filter(([path]) => check.reads.test(path)));
  const stateOf = (hash) => `${shared} ${hash}`;
  return {
    isGreen: (check) => memory.checks[check.title] === keyOf(check),
    /** Files that a check of single files has to read. */
    listChanged: (check) =>
      hashes
        .filter(([path, hash]) => check.reads.test(path) && memory.files[path] !== stateOf(hash))
        .map(([path]) => path),
    save: (greenChecks) => {
      for (const check of greenChecks) memory.checks[check.title] = keyOf(check);
      if (greenChecks.some(({ isOfEachFile }) => isOfEachFile))
        memory.files = Object.fromEntries(hashes.map(([path, hash]) => [path, stateOf(hash)]));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(memory));
    },
  };
};
