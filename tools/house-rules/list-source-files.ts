import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SourceFile } from './tidy-rules.ts';

const unread = new Set(['node_modules', '.git', '.florin', 'generated', 'fixtures', 'coverage']);

export const listSourceFiles = async (root: string): Promise<readonly SourceFile[]> => {
  const walk = async (folder: string): Promise<readonly string[]> => {
    const entries = await readdir(folder, { withFileTypes: true });
    const found = entries
      .filter((entry) => !unread.has(entry.name))
      .map((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return walk(path);
        return entry.isFile() && isSource(entry.name) ? [path] : [];
      });
    return (await Promise.all(found)).flat();
  };
  const paths = await walk(root);
  return Promise.all(
    paths.map(async (path) => ({ path: relative(root, path), text: await readFile(path, 'utf8') })),
  );
};
const isSource = (name: string) => /\.(ts|tsx|mjs|cjs|sql|css)$/.test(name);
