import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Descriptions, openApi } from '../contract/openapi.ts';
import { operations } from '../contract/operations.ts';
import { reference } from '../contract/reference.ts';
import { describeSettings } from '../service/src/platform/config.ts';
import { tableLives } from '../service/src/programs/wiring/table-lives.ts';
import { capacityPage } from './bench/setup/draw-capacity-page.ts';
import { readCapacity } from './bench/setup/recorded-capacity.ts';
import { describeSchema } from './describe/describe-schema.ts';
import { describeStatements } from './describe/describe-statements.ts';
import { drawDrillsPage } from './describe/draw-drills-page.ts';
import { drawLedgerPage } from './describe/draw-ledger-page.ts';
import { drawStatesPage } from './describe/draw-states-page.ts';
import { openMigratedDatabase } from './describe/open-migrated-database.ts';
import { bankAppSettings } from './describe/write-bank-apps.ts';
import { dartModels } from './describe/write-dart-models.ts';
import { monitoringFiles } from './describe/write-monitoring.ts';
import { readRulePages } from './house-rules/find-bad-citations.ts';

const root = new URL('../', import.meta.url);
const commentBeforeOperation =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export const (\w+) = operation\(/g;

/** Every file generated from the contract, by its path: a test compares them with what is committed. */
export const generate = async (): Promise<ReadonlyMap<string, string>> => {
  const descriptions = await readDescriptions();
  const document = openApi(operations, descriptions);
  return new Map([
    ['docs/generated/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    [
      'docs/generated/API.md',
      reference(operations, descriptions, await readRulePages(fileURLToPath(root))),
    ],
    ['docs/generated/SETTINGS.md', settingsTable()],
    ['docs/generated/STATES.md', drawStatesPage()],
    ['docs/generated/CAPACITY.md', capacityPage(await readCapacity())],
    ['docs/generated/DRILLS.md', await drawDrillsPage()],
    ['docs/rules/ledger-entries.md', drawLedgerPage()],
    ['docs/generated/TABLES.md', tablesPage()],
    ...dartModels(),
    ...bankAppSettings(),
    ...monitoringFiles(),
  ]);
};

const settingsTable = (): string =>
  [
    '# Settings\n',
    'Generated from `service/src/platform/config.ts` by `npm run generate`: do not edit it here.',
    'Settings are environment variables, read once at the start. A secret may stand in a file instead: its',
    'name with `_FILE` says which, as `FLORIN_MASTER_KEY_FILE=/run/secrets/master-key`.\n',
    '| setting | default | meaning |',
    '|---|---|---|',
    ...describeSettings().map(
      ({ name, default: preset, meaning, isSecret }) =>
        `| ${name}${isSecret ? ` or ${name}_FILE` : ''} | ${preset ? `\`${preset}\`` : ''} | ${meaning} |`,
    ),
    '',
  ].join('\n');

const tablesPage = (): string =>
  [
    '# How long rows live\n',
    'Generated from `service/src/programs/wiring/table-lives.ts` by `npm run generate`: do not edit',
    'it here. A test compares it with the tables of a migrated database.\n',
    '| table | life of its rows |',
    '|---|---|',
    ...Object.entries(tableLives)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([table, life]) => `| ${table} | ${life} |`),
    '',
  ].join('\n');

/** The doc comment above an operation is its description. */
const readDescriptions = async (): Promise<Descriptions> => {
  const folder = new URL('contract/', root);
  const names = await readdir(fileURLToPath(folder), { recursive: true });
  const texts = names
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => readFile(new URL(name, folder), 'utf8'));
  const found = (await Promise.all(texts)).flatMap((text) => [
    ...text.matchAll(commentBeforeOperation),
  ]);
  return Object.fromEntries(found.map(([, comment = '', id = '']) => [id, prose(comment)]));
};

const prose = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .filter((line) => line !== '')
    .join(' ');

/** Every statement and the schema, by their paths; the schema is read from a migrated database. */
export const generatedSql = async (databaseUrl: string): Promise<ReadonlyMap<string, string>> =>
  new Map([
    ...(await describeStatements(fileURLToPath(root))),
    ['docs/generated/schema.sql', await describeSchema(databaseUrl)],
  ]);

const write = async (files: ReadonlyMap<string, string>): Promise<void> => {
  for (const [path, content] of files) {
    const target = fileURLToPath(new URL(path, root));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
    process.stdout.write(`${path}\n`);
  }
};

const writeGenerated = async (): Promise<void> => {
  await write(await generate());
  const database = await openMigratedDatabase();
  try {
    const files = await generatedSql(database.url);
    await rm(new URL('docs/generated/sql/', root), { recursive: true, force: true });
    await write(files);
  } finally {
    await database.close();
  }
  writeBudget();
};

/** What journeys cost is counted by a test, which compares it otherwise. */
const writeBudget = (): void => {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/budget'],
    {
      cwd: fileURLToPath(root),
      env: { ...process.env, WRITE_BUDGET: '1', TEST_LONG: '1' },
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exitCode = 1;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeGenerated();
