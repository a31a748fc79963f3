import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SourceFile } from './tidy-rules.ts';

const neverRead = new Set(['node_modules', '.git', '.florin', 'coverage']);
const notSource = new Set([...neverRead, 'generated', 'fixtures']);

const known = new Map<string, readonly SourceFile[]>();

/** Read once for all rules: reading them anew for each was a third of their time. */
export const listSourceFiles = (root: string): readonly SourceFile[] => {
  const files = known.get(root) ?? walk(root, isSource, notSource).map((path) => read(root, path));
  known.set(root, files);
  return files;
};

/** All Markdown, what is generated included. */
export const listDocuments = (root: string): readonly SourceFile[] =>
  walk(root, isDocument, neverRead).map((path) => read(root, path));

const walk = (
  folder: string,
  isWanted: (name: string) => boolean,
  skipped: ReadonlySet<string>,
): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path, isWanted, skipped);
      return entry.isFile() && isWanted(entry.name) ? [path] : [];
    });

const read = (root: string, path: string): SourceFile => ({
  path: relative(root, path),
  text: readFileSync(path, 'utf8'),
});

const isSource = (name: string) => /\.(ts|tsx|mjs|cjs|sql|css)$/.test(name);
const isDocument = (name: string) => name.endsWith('.md');
