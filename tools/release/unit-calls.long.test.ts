import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../test/harness/database/open-test-database.ts';
import { discardFolder } from '../../test/harness/discard-folder.ts';
import { findInstalled } from '../../test/harness/find-installed.ts';
import { compileProgram } from '../../test/harness/programs/compile-program.ts';
import { findTestPort } from '../../test/harness/programs/find-test-port.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';

const patience = { withinMs: 120_000 };
const installed = findInstalled('What units let programs call', {
  packages: { strace: 'strace', 'systemd-analyze': 'systemd' },
});

const analyse = installed?.['systemd-analyze'] ?? '';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'florin-calls-'));
});
afterAll(async () => {
  await database.close();
  await discardFolder(folder);
});

/** The calls of a group, those of groups in it too, as this machine's systemd knows them. */
const callsOf = (group: string): readonly string[] =>
  execFileSync(analyse, ['syscall-filter', group], { encoding: 'utf8' })
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => (line.startsWith('@') ? callsOf(line) : [line]));

/** What it lets through: groups that are named first, without those that are taken away after. */
const allowedBy = async (unit: string): Promise<ReadonlySet<string>> => {
  const text = await readFile(new URL(`../../deploy/systemd/${unit}`, import.meta.url), 'utf8');
  const allowed = new Set<string>();
  for (const [, taken, groups = ''] of text.matchAll(/^SystemCallFilter=(~?)(.+)$/gm))
    for (const call of groups.split(' ').flatMap(callsOf))
      if (taken) allowed.delete(call);
      else allowed.add(call);
  return new Set([...allowed, ...callsOf('@default')]);
};

if (installed)
  test.each([
    ['api', 'PORT', 'florin-api@.service'],
    ['worker', 'METRICS_PORT', 'florin-worker@.service'],
  ])('%s calls nothing of the system that its unit refuses', async (name, portName, unit) => {
    const [port, record] = [await findTestPort(), join(folder, name)];
    const program = await compileProgram(`service/src/programs/${name}.ts`);
    const words = ['-f', '-qq', '-o', record, process.execPath, program];
    const settings = { DATABASE_URL: database.url, FLORIN_DATA: folder, [portName]: String(port) };
    const child = spawn(installed.strace, words, {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, SHUTDOWN_NOTICE_MS: '0', ...settings },
    });
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
    await waitUntil(() => isReady().catch(() => false), patience);
    const pids = execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).split('\n');
    process.kill(Number(pids[0]), 'SIGTERM');
    await once(child, 'exit');
    const called = [...(await readFile(record, 'utf8')).matchAll(/^\d+ +([a-z]\w+)\(/gm)];
    const allowed = await allowedBy(unit);
    const names = new Set(called.map(([, call = '']) => call));
    expect(names.size).toBeGreaterThan(40);
    expect([...names].filter((call) => !allowed.has(call))).toEqual([]);
  });
