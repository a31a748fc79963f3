import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '../log.ts';
import { type Account, serverEnvironment } from './account.ts';

type RunningProcess = {
  readonly parentPid: number;
  readonly isZombie: boolean;
  readonly commandLine: string;
};

export const readProcess = async (pid: number): Promise<RunningProcess | undefined> =>
  process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);

const readFromProc = async (pid: number): Promise<RunningProcess | undefined> => {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    // The name in brackets may itself hold brackets and spaces: read after the last one.
    const [state, parentPid] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return {
      parentPid: Number(parentPid),
      isZombie: state === 'Z' || state === 'X',
      commandLine: commandLine.replaceAll('\0', ' '),
    };
  } catch {
    return undefined;
  }
};

const readFromPs = async (pid: number): Promise<RunningProcess | undefined> => {
  const options = ['-ww', '-o', 'ppid=,state=,command=', '-p', String(pid)];
  const listed = await promisify(execFile)('ps', options).catch(() => ({ stdout: '' }));
  const [, parentPid, state, commandLine] = /^\s*(\d+)\s+(\S+)\s+(.*)$/m.exec(listed.stdout) ?? [];
  if (!state || !commandLine) return undefined;
  return {
    parentPid: Number(parentPid),
    isZombie: state.startsWith('Z'),
    commandLine: `${commandLine} `,
  };
};

/** True while any process works inside the folder: a server's children outlive it by a moment. */
const isFolderInUse = async (folder: string): Promise<boolean> => {
  const entries = await readdir('/proc').catch(() => []);
  const folders = entries
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => ''));
  return (await Promise.all(folders)).includes(folder);
};

/** Asks again and again until true; false once the time is up. */
export const waitFor = async (
  isTrue: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 10,
): Promise<boolean> => {
  for (let waitedMs = 0; waitedMs <= withinMs; waitedMs += everyMs) {
    if (await isTrue()) return true;
    await sleep(everyMs);
  }
  return isTrue();
};

export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

export type ServerExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type Server = {
  readonly pid: number;
  readonly exited: Promise<ServerExit>;
  readonly stop: () => Promise<void>;
};

type Launch =
  | { readonly outcome: 'ready'; readonly server: Server }
  | { readonly outcome: 'refused'; readonly said: string };

export type LaunchOrder = {
  readonly account: Account;
  readonly programs: string;
  readonly dataFolder: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly mark: string;
  readonly log: Log;
};

// The pipe on the watchdog's input closes when our program dies, for any reason. A line on it means
// that the server has ended, so that its process id may belong to another program by then.
const watched = `
exec 3<&0 </dev/null
( ( read -r gone <&3 || kill -INT $$ ) >/dev/null 2>&1 & )
exec "$@" 3<&-`;

const recoveryLimitMs = 600_000;
const fastStopLimitMs = 1_500;
const immediateStopLimitMs = 2_000;
const maxLines = 20;

/** Answers once the server accepts connections, or has given up. */
export const launchServer = async (order: LaunchOrder): Promise<Launch> => {
  const { account, dataFolder } = order;
  const settings = Object.entries(order.settings).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const command = [
    ...account.prefix,
    join(order.programs, 'postgres'),
    ...['-D', dataFolder, '-c', order.mark, ...settings],
  ];
  const child = spawn('/bin/sh', ['-c', watched, 'florin-watchdog', ...command], {
    // Its own session: Ctrl-C must reach our program only, which stops the database last.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    cwd: '/',
    env: serverEnvironment,
    uid: account.uid,
    gid: account.gid,
  });
  const server = superviseServer(child);
  const lines = collectLines(child, order.log);
  let isGone = false;
  void server.exited.then(() => {
    isGone = true;
  });
  const isReady = () => readsReady(dataFolder, server.pid);
  await waitFor(async () => isGone || (await isReady()), recoveryLimitMs, 5);
  if (!isGone) return { outcome: 'ready', server };
  return { outcome: 'refused', said: lines.join('\n') };
};

const superviseServer = (child: ChildProcess): Server => {
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const input = child.stdin;
  input?.on('error', () => undefined);
  child.once('exit', () => input?.end('gone\n'));
  return {
    pid: child.pid ?? 0,
    exited,
    stop: async () => {
      // "Fast" writes a checkpoint; "immediate" leaves that to the next start and loses nothing.
      child.kill('SIGINT');
      const immediate = setTimeout(() => child.kill('SIGQUIT'), fastStopLimitMs);
      const last = setTimeout(() => child.kill('SIGKILL'), fastStopLimitMs + immediateStopLimitMs);
      await exited;
      clearTimeout(immediate);
      clearTimeout(last);
    },
  };
};

const collectLines = (child: ChildProcess, log: Log): readonly string[] => {
  const lines: string[] = [];
  if (!child.stderr) return lines;
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (lines.length > maxLines) lines.shift();
    if (/\b(FATAL|PANIC): (?!.*administrator command)/.test(line)) log.warn({ line }, 'database');
    else log.debug({ line }, 'database');
  });
  return lines;
};

// The eighth line of postmaster.pid is the server's own state.
const readsReady = async (dataFolder: string, pid: number): Promise<boolean> => {
  const file = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = file.split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
};

const partingLimitMs = 2_000;
const reapLimitMs = 3_000;
const stopSteps = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

/**
 * After a crash the file postmaster.pid may name a server that outlived its program, a dead one not
 * reaped yet, or an unrelated process with its id. Only a server whose own program still runs is
 * left alone.
 */
export const stopPreviousServer = async (dataFolder: string, log: Log): Promise<void> => {
  const lockFile = join(dataFolder, 'postmaster.pid');
  const pid = await readLockedPid(dataFolder);
  const found = pid > 0 ? await readProcess(pid) : undefined;
  if (!found) return;
  if (found.isZombie) return awaitBurial(pid, dataFolder, lockFile);
  if (!found.commandLine.includes(`-D ${dataFolder} `)) return dropLock(dataFolder, lockFile);
  // A program killed a moment ago holds its children until it has fully ended.
  if (!(await waitFor(() => isLeft(pid), partingLimitMs))) throw await alreadyRunning(dataFolder);
  log.warn({ pid }, 'stopping a database left over from a crash');
  await stopOrphan(pid);
  if ((await readProcess(pid))?.isZombie) await awaitBurial(pid, dataFolder, lockFile);
};

export const alreadyRunning = async (dataFolder: string): Promise<Error> => {
  const pid = await readLockedPid(dataFolder);
  const where = `${dataFolder} (database process ${pid})`;
  return new Error(`Florin already runs on ${where}: stop that one first.`);
};

const readLockedPid = async (dataFolder: string): Promise<number> => {
  const lock = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number(lock.split('\n')[0]);
};

export const ownerMark = (ownerPid: number): string => `cluster_name=florin-${ownerPid}`;

const isOrphan = (server: RunningProcess): boolean => {
  const owner = /cluster_name=florin-(\d+)/.exec(server.commandLine)?.[1];
  return owner !== undefined && Number(owner) !== server.parentPid;
};

const isLeft = async (pid: number): Promise<boolean> => {
  const found = await readProcess(pid);
  return !found || found.isZombie || isOrphan(found);
};

const isGone = async (pid: number): Promise<boolean> => {
  const found = await readProcess(pid);
  return !found || found.isZombie;
};

const stopOrphan = async (pid: number): Promise<void> => {
  for (const [signal, withinMs] of stopSteps) {
    sendSignal(pid, signal);
    if (await waitFor(() => isGone(pid), withinMs)) return;
  }
  throw new Error(`The database process ${pid} of an earlier run does not stop.`);
};

/** A dead process keeps its id until reaped, and PostgreSQL takes it for alive. */
const awaitBurial = async (pid: number, dataFolder: string, lockFile: string): Promise<void> => {
  const isBuried = async () => !(await readProcess(pid));
  // If process 1 does not reap (many containers), the file is removed once no child is working.
  if (!(await waitFor(isBuried, reapLimitMs))) await dropLock(dataFolder, lockFile);
};

const dropLock = async (dataFolder: string, lockFile: string): Promise<void> => {
  const isIdle = async () => !(await isFolderInUse(dataFolder));
  if (await waitFor(isIdle, reapLimitMs)) await rm(lockFile, { force: true });
};
