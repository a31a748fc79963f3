import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listSourceFiles } from './list-source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Recipe = {
  readonly title: string;
  readonly example: string | undefined;
  readonly files: readonly string[];
};

const recipes: readonly Recipe[] = readFileSync(`${root}docs/CHANGING.md`, 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    title: text.split('\n')[0] ?? '',
    example: /^(?:.* )?Example: (?:the table )?`(\w+)`/m.exec(text)?.[1],
    files: [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path),
  }));
const walked = recipes.filter(({ example }) => example !== undefined);

/** Where a change is registered: what only tests a thing, or speaks of it in a comment, is left out. */
const isRegister = (path: string) =>
  /^(?:contract|web|service\/src|test\/contract|test\/isolation)\//.test(path) &&
  !/\.test\.tsx?$|^(?:service|web)\/.*\/test\//.test(path);
const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line);

const banks = 'service/src/rails/open-banking-uk/settings/known-banks.json';
const registers = [
  ...listSourceFiles(root).filter(({ path }) => isRegister(path)),
  { path: banks, text: readFileSync(`${root}${banks}`, 'utf8') },
];

const filesWith = (word: string): readonly string[] => {
  const whole = new RegExp(`\\b${word}\\b`);
  return registers
    .filter(({ text }) => text.includes(word))
    .filter(({ text }) => text.split('\n').some((line) => whole.test(line) && !isComment(line)))
    .map(({ path }) => path);
};

test('eleven recipes have an example', () => {
  expect(walked.map(({ title }) => title)).toEqual([
    'A field that does something',
    'A text that is shown',
    'An event',
    'An operation with its dashboard permission',
    'A bank',
    'A status code of a bank',
    'A migration',
    'A job',
    'A module',
    'A new role',
    'A second card processor',
  ]);
});

test.each(walked)('$title: its table names exactly the files that have $example', (recipe) => {
  expect([...recipe.files].sort()).toEqual([...filesWith(recipe.example ?? '')].sort());
});

test('every path that a recipe names exists', () => {
  const text = readFileSync(`${root}docs/CHANGING.md`, 'utf8');
  const paths = [
    ...text.matchAll(/`((?:contract|service|web|test|tools|docs|simulator)\/[^`*…]+)`/g),
  ];
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(root + path))).toEqual([]);
});
