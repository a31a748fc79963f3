import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

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
