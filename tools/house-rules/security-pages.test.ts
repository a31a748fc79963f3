import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { asvsLevels } from './asvs-levels.ts';
import { listDocuments, listSourceFiles } from './list-source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const pages = listDocuments(root)
  .filter(({ path }) => /^docs\/(?:SECURITY|security)\b/.test(path))
  .toSorted((a, b) => (a.path < b.path ? -1 : 1));
const cells = pages.flatMap(({ text }) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, -1))
    .map((row) => row.map((cell) => cell.trim())),
);
const rows = cells
  .filter(([id = '']) => /^\d+\.\d+\.\d+$/.test(id))
  .map(([id = '', level = '', , held = '', shownBy = '']) => ({ id, level, held, shownBy }));

type Proof = { readonly path: string; readonly title: string };

/** A path stands before the first of its titles. */
const proofsIn = (cell: string): readonly Proof[] => {
  let path = '';
  return cell.split(' · ').map((part) => {
    const [, named, title = part] = /^`([^`]+)`: (.+)$/.exec(part) ?? [];
    path = named ?? path;
    return { path, title };
  });
};

const firstText = /\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)\s*,/g;

const isThere = ({ path, title }: Proof): boolean => {
  if (!existsSync(root + path)) return false;
  const text = readFileSync(root + path, 'utf8');
  if (path.endsWith('.md')) return text.includes(title);
  const titles = [...text.matchAll(firstText)].map(([, ...quoted]) => quoted.join(''));
  return path.endsWith('.test.ts') && titles.some((each) => each.includes(title));
};

const isOpen = (shownBy: string) => /^(?:falls short|not applicable): \S/.test(shownBy);
// What the standard wants to be written down is shown by the page where it is.
const ofDocumentation = /^(?:2|5|6|7|8|11|13|14|15|16)\.1\./;

test('each item of level 1 and 2 of the standard has one row, with its level', () => {
  expect(asvsLevels.size).toBe(253);
  expect(rows.map(({ id, level }) => [id, level])).toEqual([...asvsLevels]);
});

test('each row names a test that is there, or says what is missing, or why it is left out', () => {
  const unshown = rows
    .filter(({ shownBy }) => !isOpen(shownBy))
    .flatMap(({ id, shownBy }) =>
      proofsIn(shownBy)
        .filter((proof) => !isThere(proof) || (isPage(proof) && !ofDocumentation.test(id)))
        .map(({ path, title }) => `${id}: ${path}: ${title}`),
    );
  expect(unshown).toEqual([]);
  const left = rows.filter(({ shownBy }) => shownBy.startsWith('not applicable'));
  expect(rows.filter((row) => row.held === '' && !left.includes(row))).toEqual([]);
});

const isPage = ({ path }: Proof) => path.endsWith('.md');

test('each test that the threat model names is there', () => {
  const named = cells.flat().filter((cell) => /^`\S+\.test\.ts`: /.test(cell));
  expect(named.length).toBeGreaterThan(150);
  const missing = named.flatMap(proofsIn).filter((proof) => !isThere(proof));
  expect(missing).toEqual([]);
});

test('each file of the repository that the pages name is there', () => {
  const known = new Set(listSourceFiles(root).map(({ path }) => path.split('/').at(-1)));
  const named = pages.flatMap(({ text }) => text.match(/(?<=[ (])[\w.-]+\.test\.ts\b/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('a title that no test has, and a file that is not there, are found', () => {
  const here = '`tools/house-rules/security-pages.test.ts`';
  const found = proofsIn(`${here}: a title that no test has · no such title · ${here}: x`);
  expect(found.map(isThere)).toEqual([true, false, false]);
  expect(isThere({ path: 'tools/gone.test.ts', title: 'a' })).toBe(false);
});
