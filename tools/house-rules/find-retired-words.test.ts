import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { findRetiredWords, retiredWords } from './find-retired-words.ts';
import { listSourceFiles } from './list-source-files.ts';
import type { SourceFile } from './tidy-rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const path = 'service/src/modules/payments/planted.ts';

// These files list the words themselves, or rename what is stored.
const lists = new RegExp(
  [
    '^tools/house-rules/find-retired-words(\\.test)?\\.ts$',
    '^service/migrations/(0275|0414)_',
    '^test/journeys/payouts/old-reversal-steps\\.ts$',
  ].join('|'),
);

describe('retired words', () => {
  let files: readonly SourceFile[];

  beforeAll(() => {
    files = listSourceFiles(root).filter((file) => !lists.test(file.path));
  });

  test('are used nowhere', () => {
    expect(files.flatMap(findRetiredWords)).toEqual([]);
  });

  test('are each found in a name', () => {
    const missed = retiredWords.flatMap(({ retired }) =>
      retired
        .split('|')
        .map((word) => `const x_${word.replaceAll(' ', '_')} = 1;`)
        .filter((text) => findRetiredWords({ path, text }).length === 0),
    );
    expect(missed).toEqual([]);
  });

  test('are in the glossary', async () => {
    const glossary = await readFile(`${root}docs/GLOSSARY.md`, 'utf8');
    const table = glossary.slice(glossary.indexOf('## Retired words')).toLowerCase();
    const missing = retiredWords.filter(
      ({ retired }) => !retired.split('|').some((word) => table.includes(word)),
    );
    expect(missing).toEqual([]);
  });
});

test.each([
  'const askBank = async () => poll();',
  'export type DueTalk = { readonly id: string };',
  'select place from card_place',
  "test('keepsCards', () => {});",
  '// Nobody knows the outcome.',
  "test('seldom polls', () => {});",
  'const lastWord = read();',
  'await giveBack(payment);',
  "trigger: 'takenBack',",
  'const rowsMost = 100;',
  'update payment set given_back_at = now()',
])('finds the retired word in: %s', (text) => {
  expect(findRetiredWords({ path, text })).toHaveLength(1);
});

test.each(['service/src/rails/stripe/ask-stripe.ts', 'simulator/src/world/open.ts'])(
  'finds the retired word in the path %s',
  (planted) => {
    expect(findRetiredWords({ path: planted, text: '' })).toHaveLength(1);
  },
);

test.each([
  '// The bank is asked at most once a minute, in place of the notice.',
  "const title = 'Ask your bank to keep the payment';",
  'const task = { keepAlive: true, keepalive: true, placeholder: text };',
  'color: indoors; place-items: center;',
])('leaves alone: %s', (text) => {
  expect(findRetiredWords({ path, text })).toEqual([]);
});
