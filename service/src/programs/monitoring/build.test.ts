import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../../../test/harness/database/open-test-database.ts';
import { compileProgram } from '../../../../test/harness/programs/compile-program.ts';
import { findTestPort } from '../../../../test/harness/programs/find-test-port.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';

const manifest = new URL('../../../../package.json', import.meta.url);
const patience = { withinMs: 60_000 };

let database: TestDatabase;
let folder: string;
let expected: Readonly<Record<string, string>>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'florin-build-'));
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  expected = { version, commit: 'of tests' };
});
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
  await database.close();
  await rm(folder, { recursive: true });
});

/** Starts a program, and answers what it has logged up to now. */
const launch = async (program: string, settings: Readonly<Record<string, string>>) => {
  const child = spawn(
    process.execPath,
    [await compileProgram(`service/src/programs/${program}.ts`)],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, FLORIN_DATA: folder, DATABASE_URL: database.url, ...settings },
    },
  );
  children.push(child);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return {
    child,
    lines: () =>
      said
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
  };
};

describe('the version and the commit that run', () => {
  test.each([
    ['api', 'PORT'],
    ['worker', 'METRICS_PORT'],
  ])('are the same in the log, in health and in the numbers: %s', async (program, portName) => {
    const port = String(await findTestPort());
    const { lines } = await launch(program, { [portName]: port });
    const address = `http://127.0.0.1:${port}`;
    const health = await waitUntil(() => fetch(`${address}/health/live`), patience);
    expect(await health.json()).toEqual({ live: true, ...expected });
    const numbers = await (await fetch(`${address}/metrics`)).text();
    const { version, commit } = expected;
    expect(numbers).toContain(`florin_build_info{version="${version}",commit="${commit}"} 1\n`);
    expect(lines()[0]).toMatchObject({ program, msg: 'starting', ...expected });
    if (program === 'worker') return;
    await fetch(`${address}/api/institutions`, { headers: { authorization: 'Bearer wrong' } });
    const refused = () => lines().find(({ msg }) => msg === 'an access secret was refused');
    expect(await waitUntil(async () => refused(), patience)).toMatchObject({
      program,
      ...expected,
    });
  });

  test('are said before the database is asked', async () => {
    const nowhere = 'postgresql://florin:a-password@127.0.0.1:1/florin';
    const { child, lines } = await launch('worker', { DATABASE_URL: nowhere });
    await once(child, 'close');
    expect(lines()).toMatchObject([{ program: 'worker', msg: 'starting', ...expected }]);
  });
});
