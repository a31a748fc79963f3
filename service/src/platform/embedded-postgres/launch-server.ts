import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Log } from '../log.ts';
import { type Account, serverEnvironment } from './account.ts';
import { waitFor } from './running-process.ts';

export type ServerExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type Server = {
  readonly pid: number;
  readonly exited: Promise<ServerExit>;
  readonly stop: () => Promise<void>;
};

export type Launch =
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
