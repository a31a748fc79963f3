import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { testCardNumbers } from '../../../service/src/platform/card-numbers/test-card-numbers.ts';
import { cardTable } from '../../../simulator/src/cards/card-table.ts';
import {
  openEmptyDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../database/open-test-database.ts';
import { discardFolder } from '../discard-folder.ts';
import { openRecordedLog } from '../open-recorded-log.ts';
import { findTraces } from './find-traces.ts';

const number = '4000000000000127';
const spaced = '4000 0000 0000 0127';

it('the service accepts exactly the test numbers of the simulated processor', () => {
  expect([...testCardNumbers].sort()).toEqual(cardTable.map((row) => row.number).sort());
});

describe('finds a card number', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  it.each<[string, (card: string) => string, string]>([
    ['plain', (card) => `card ${card}.`, 'in digits'],
    ['spaced', () => spaced, 'in digits'],
    ['with dashes', () => spaced.replaceAll(' ', '-'), 'in digits'],
    ['escaped in a URL', () => spaced.replaceAll(' ', '%20'), 'in digits'],
    ['as bytes', (card) => `\\x7b22${Buffer.from(card).toString('hex')}227d`, 'in hexadecimal'],
    ['spaced, as bytes', () => Buffer.from(spaced).toString('hex'), 'in hexadecimal'],
    ['in base64', (card) => base64(card), 'in base64'],
    ['in base64 after one byte', () => base64(`"${spaced}"`), 'in base64'],
    ['in base64 after two bytes', (card) => base64(`: ${card}}`), 'in base64'],
  ])('%s', (_, write, form) => {
    expect(findTraces(write(number))).toEqual([`****0127 ${form}`]);
    const missed = testCardNumbers.filter((each) => findTraces(` ${write(each)} `).length === 0);
    expect(missed).toEqual([]);
  });

  it('finds nothing where there is none', () => {
    expect(findTraces('2026-11-21 07:02:36.123 4000 5.00 NDI0MjQy 343234323432')).toEqual([]);
  });
});

/** Traces of a careless change. */
const plant = async (database: TestDatabase, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement);
  await client.end();
};

describe('fails a test that writes a card number', () => {
  it.each<[string, string, string]>([
    ['text', `text`, `'order ${spaced}'`],
    ['JSON', 'jsonb', `'{"a": [{"b": "${number}"}]}'`],
    ['bytes', 'bytea', `convert_to('{"pan":"${number}"}', 'UTF8')`],
    ['base64', 'text', `encode(convert_to('pay ${number}', 'UTF8'), 'base64')`],
    ['a list', 'text[]', `array['${number}']`],
    ['a number', 'bigint', number],
  ])('in a column of %s', async (_, type, value) => {
    const database = await openEmptyDatabase();
    await plant(database, `create table saved as select 1 as id, ${value}::${type} as value`);
    await expect(database.close()).rejects.toThrow(
      /^card numbers were written: \*\*\*\*0127 in \w+ in table public\.saved$/,
    );
  });

  it('in a table with row-level security', async () => {
    const database = await openTestDatabase();
    await plant(
      database,
      `insert into florin.merchant (merchant_id, business_name)
       values (gen_random_uuid(), 'Shop ${number}')`,
    );
    await expect(database.close()).rejects.toThrow('in table florin.merchant');
  });

  it('in a log line that was not masked', () => {
    const recorded = openRecordedLog();
    // As bytes it passes the log, which masks readable text.
    recorded.log.warn({ body: Buffer.from(number).toString('base64') }, 'odd');
    expect(recorded.close).toThrow('****0127 in base64 in the log');
    const masked = openRecordedLog();
    masked.log.warn({ body: number }, `odd ${spaced}`);
    expect(masked.close).not.toThrow();
  });

  it('in a file or a file name, at any depth', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-traces-'));
    await mkdir(join(folder, 'a', 'b'), { recursive: true });
    await writeFile(join(folder, 'a', 'b', 'mail.eml'), `To: x\n\n${spaced}\n`);
    await writeFile(join(folder, `${number}.json`), '{}');
    const gone = discardFolder(folder);
    await expect(gone).rejects.toThrow(/0127 in digits in a file's name/);
    await expect(gone).rejects.toThrow(/0127 in digits in file \S+mail\.eml/);
  });

  it('in the output of the run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-traces-'));
    const output = join(folder, 'output.txt');
    const program = fileURLToPath(new URL('../../../tools/find-card-numbers.ts', import.meta.url));
    const read = () =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', program, folder]).then(
        () => 'nothing',
        (error: { stdout: string }) => error.stdout,
      );
    await writeFile(output, '5 passed, 0 failed\n');
    expect(await read()).toBe('nothing');
    await appendFile(output, `expected ${number} to be undefined\n`);
    expect(await read()).toMatch(/\*\*\*\*0127 in digits in file \S+output\.txt/);
    await rm(folder, { recursive: true });
  });
});
