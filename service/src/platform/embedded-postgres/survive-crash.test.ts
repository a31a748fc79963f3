import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { longTest } from '../../../../test/harness/long-test.ts';
import { compileProgram } from '../../../../test/harness/programs/compile-program.ts';
import { silentLog } from '../log.ts';
import { canReach } from './account.ts';
import { findPackageFolder } from './prepare-server-programs.ts';
import { readProcess, sendSignal, waitFor } from './server-process.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';

const program = 'service/src/platform/embedded-postgres/write-until-killed.test-program.ts';
const unprivileged = 65_534;
const isRoot = process.getuid?.() === 0;
const lentAccount = { prefix: [], uid: unprivileged, gid: unprivileged };
const checkout = fileURLToPath(new URL('.', import.meta.url));
const canLend = !isRoot || (await canReach(lentAccount, checkout));
const isLinux = process.platform === 'linux';

type Writer = {
  readonly child: ChildProcess;
  readonly serverPid: () => number;
  readonly written: () => number;
  readonly said: () => string;
};

const folders: string[] = [];
const closedFolders: string[] = [];
const children: ChildProcess[] = [];

const newFolder = async (): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'florin-crash-')));
  folders.push(folder);
  return folder;
};

/** Made once: a new cluster costs a second of CPU. Each writer empties its table. */
const anyCluster = async (): Promise<string> => {
  cluster ??= await realpath(await mkdtemp(join(tmpdir(), 'florin-crash-')));
  return cluster;
};
let cluster: string | undefined;

const startWriter = async (
  folder: string,
  packageFolder?: string,
  uid?: number,
): Promise<Writer> => {
  const extra = packageFolder === undefined ? [] : [packageFolder];
  const child = spawn(process.execPath, [await compileProgram(program), folder, ...extra], {
    uid,
    gid: uid,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  return {
    child,
    serverPid: () => JSON.parse(output.split('\n')[0] || '{"pid":0}').pid,
    // The kill may cut the last line: only whole lines count.
    written: () => Number(output.split('\n').slice(1, -1).at(-1) ?? 0),
    said: () => errors,
  };
};

const writeSome = async (writer: Writer, rows = 50): Promise<void> => {
  const isDone = await waitFor(() => writer.written() >= rows, 20_000);
  if (!isDone) throw new Error(`the writer wrote ${writer.written()} rows: ${writer.said()}`);
};

const isGone = async (pid: number): Promise<boolean> => {
  const found = await readProcess(pid);
  return !found || found.isZombie;
};

const findWatchdog = async (dataFolder: string): Promise<number> => {
  for (const entry of await readdir('/proc')) {
    const line = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (line.includes('florin-watchdog') && line.includes(dataFolder)) return Number(entry);
  }
  throw new Error('no watchdog');
};

const startAndCount = async (folder: string): Promise<number> => {
  const server = await startEmbeddedPostgres({ folder, log: silentLog });
  const client = new pg.Client({ connectionString: server.connectionString('postgres') });
  await client.connect();
  const { rows } = await client.query('select count(*)::int as count from written');
  await client.end();
  await server.stop();
  return rows[0]?.count;
};

const removeSockets = async (context: string): Promise<void> => {
  const sockets = await readlink(join(context, 'socket')).catch(() => undefined);
  if (sockets) await rm(sockets, { recursive: true, force: true });
};

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of closedFolders.splice(0)) await chmod(folder, 0o755);
  await Promise.all(folders.splice(0).map(discard));
});

afterAll(() => cluster && discard(cluster));

const discard = async (folder: string): Promise<void> => {
  for (const context of [folder, join(folder, 'home', 'postgres')]) await removeSockets(context);
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
};

describe('a crash', () => {
  test('of the program stops its database too and loses nothing', async () => {
    const folder = await anyCluster();
    const writer = await startWriter(folder);
    await writeSome(writer);
    writer.child.kill('SIGKILL');
    expect(await waitFor(() => isGone(writer.serverPid()), 5_000)).toBe(true);
    expect(await startAndCount(folder)).toBeGreaterThanOrEqual(writer.written());
  });

  longTest('of the program allows the next start at once', async () => {
    const folder = await anyCluster();
    const writer = await startWriter(folder);
    await writeSome(writer);
    writer.child.kill('SIGKILL');
    expect(await startAndCount(folder)).toBeGreaterThanOrEqual(writer.written());
  });

  longTest.runIf(isLinux)(
    'of program and watchdog leaves an orphan that the next start finds',
    async () => {
      const folder = await anyCluster();
      const writer = await startWriter(folder);
      await writeSome(writer);
      sendSignal(await findWatchdog(join(folder, 'data')), 'SIGKILL');
      writer.child.kill('SIGKILL');
      await waitFor(() => writer.child.signalCode !== null, 5_000);
      expect(await isGone(writer.serverPid())).toBe(false);
      expect(await startAndCount(folder)).toBeGreaterThanOrEqual(writer.written());
      expect(await isGone(writer.serverPid())).toBe(true);
    },
  );

  test('of the database is reported to the program, and recovers', async () => {
    const folder = await anyCluster();
    const server = await startEmbeddedPostgres({ folder, log: silentLog });
    const client = new pg.Client({ connectionString: server.connectionString('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('drop table if exists written');
    await client.query('create table written as select 1 as number');
    sendSignal(server.pid, 'SIGKILL');
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await startAndCount(folder)).toBe(1);
    await server.stop();
  });

  longTest('of program and database together loses nothing', async () => {
    const folder = await anyCluster();
    const writer = await startWriter(folder);
    await writeSome(writer);
    writer.child.kill('SIGKILL');
    sendSignal(writer.serverPid(), 'SIGKILL');
    expect(await startAndCount(folder)).toBeGreaterThanOrEqual(writer.written());
  });

  longTest('during the creation of a cluster leaves no half cluster', async () => {
    const folder = await newFolder();
    const killed = await startWriter(folder);
    const isBegun = async () => {
      const names: string[] = await readdir(folder, { recursive: true }).catch(() => []);
      return names.some((name) => /^draft-.*base$/.test(name));
    };
    expect(await waitFor(isBegun, 20_000, 1)).toBe(true);
    killed.child.kill('SIGKILL');
    const writer = await startWriter(folder);
    await writeSome(writer, 1);
    writer.child.kill('SIGKILL');
    expect(await waitFor(() => isGone(writer.serverPid()), 5_000)).toBe(true);
    expect(await startAndCount(folder)).toBeGreaterThanOrEqual(1);
    const isTidy = async () => !(await readdir(folder)).some((name) => name.startsWith('draft-'));
    expect(await isTidy()).toBe(true);
  });
});

// Root writes everywhere, and under root's closed home no other user can run our program.
if (canLend)
  longTest(
    'a closed package without its links is copied beside the data, into a folder of another user',
    async () => {
      const uid = isRoot ? unprivileged : undefined;
      const packageFolder = await copyClosedPackage();
      const home = join(await newFolder(), 'home');
      await chmod(join(home, '..'), 0o755);
      await mkdir(home, { mode: 0o700 });
      if (uid !== undefined) await chown(home, uid, uid);
      const folder = join(home, 'postgres');
      const writer = await startWriter(folder, packageFolder, uid);
      await writeSome(writer, 5);
      expect((await readdir(folder)).some((name) => name.startsWith('postgresql-'))).toBe(true);
      writer.child.kill('SIGKILL');
      expect(await waitFor(() => isGone(writer.serverPid()), 5_000)).toBe(true);
    },
  );

const copyClosedPackage = async (): Promise<string> => {
  const folder = await newFolder();
  await chmod(folder, 0o755);
  const copy = join(folder, 'package');
  const isNoLink = (source: string) => !lstatSync(source).isSymbolicLink();
  await cp(findPackageFolder(), copy, { recursive: true, filter: isNoLink });
  for (const part of ['native/lib', 'native', '.']) {
    closedFolders.push(join(copy, part));
    await chmod(join(copy, part), 0o555);
  }
  return copy;
};
