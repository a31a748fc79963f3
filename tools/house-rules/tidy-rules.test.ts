import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { completeLockFile } from '../complete-lock-file.ts';
import { listSourceFiles } from './list-source-files.ts';
import { type SourceFile, tidyRules, toolMakers } from './tidy-rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = 'service/src/modules/payments/planted.ts';

const violations: Readonly<Record<keyof typeof tidyRules, readonly SourceFile[]>> = {
  'files of 300 lines at most': [{ path: here, text: 'one;\n'.repeat(301) }],
  'lines of 110 columns at most': [{ path: here, text: `const long = '${'x'.repeat(100)}';` }],
  'names that name something': [
    { path: 'service/src/utils/money.ts', text: '' },
    { path: 'service/src/modules/payments/service.ts', text: '' },
    { path: 'service/src/modules/payments/types.ts', text: '' },
    { path: 'service/src/modules/payments/date-helpers.ts', text: '' },
    { path: 'service/src/modules/payments/CapturePayment.ts', text: '' },
  ],
  'no open promises': [{ path: here, text: `// ${'TO'}${'DO'}: later` }],
  'no code in comments': [
    { path: here, text: '// const old = 1;' },
    { path: here, text: '  // sendAgain(payment)' },
    { path: 'service/migrations/0001.sql', text: '-- drop table merchant;' },
  ],
  'time, chance and settings passed in': [
    { path: here, text: 'const now = new Date();' },
    { path: here, text: 'const now = Date.now();' },
    { path: here, text: 'const luck = Math.random();' },
    { path: 'web/checkout/src/page.ts', text: 'const url = process.env.PUBLIC_URL;' },
  ],
  'wakes in two files': [
    { path: here, text: "await client.query('listen florin_cards');" },
    { path: here, text: 'sql`select pg_notify(:channel, :names)`,' },
  ],
  'functions as constants': [
    { path: here, text: 'function capture() {}' },
    { path: here, text: 'export async function capture<Row>(row: Row) {}' },
    { path: 'tools/start.mjs', text: '  function stop() {}' },
  ],
};

const allowed: readonly SourceFile[] = [
  { path: 'service/src/programs/start.ts', text: 'readConfig(process.env);' },
  { path: here, text: '// A payment may be captured once; a second capture fails.' },
  { path: here, text: 'const later = new Date(now.getTime() + delayMs);' },
  { path: here, text: 'const rows = async function* () {};' },
  { path: 'test/harness/open-test-service.ts', text: 'process.env.TEST_DATABASE_URL' },
];

describe.each(Object.entries(tidyRules))('%s', (name, rule) => {
  let files: readonly SourceFile[];

  beforeAll(() => {
    files = listSourceFiles(root);
  });

  test('is kept everywhere', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(rule)).toEqual([]);
  });

  test('finds planted violations', () => {
    const unseen = violations[name as keyof typeof tidyRules].filter(
      (file) => rule(file).length === 0,
    );
    expect(unseen).toEqual([]);
  });

  test('reports nothing that is allowed', () => {
    expect(allowed.flatMap(rule)).toEqual([]);
  });
});

test('the files that read the clock exist', () => {
  const paths = listSourceFiles(root).map((file) => file.path);
  expect(toolMakers.filter((path) => !paths.includes(path))).toEqual([]);
});

test('the lock file names the packages of every system: else run tools/complete-lock-file.ts', async () => {
  const lock = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8'));
  expect(Object.keys(completeLockFile(lock.packages))).toEqual([]);
});
