import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export type RunningProcess = {
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
export const isFolderInUse = async (folder: string): Promise<boolean> => {
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
