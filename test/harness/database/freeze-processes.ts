import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

type Running = { readonly pid: number; readonly parent: number };

/** Stops a process and all that it started, as an overloaded or suspended host does; answers how to go on. */
export const freezeProcesses = async (pid: number): Promise<() => void> => {
  const stopped = new Set<number>();
  const send = (to: number, signal: NodeJS.Signals): void => {
    try {
      process.kill(to, signal);
    } catch {
      // It has ended meanwhile.
    }
  };
  // The first stops before the others, so that nothing is started after the second look.
  for (let found = [pid]; found.some((each) => !stopped.has(each)); found = await familyOf(pid))
    for (const each of found) {
      stopped.add(each);
      send(each, 'SIGSTOP');
    }
  return () => {
    for (const each of stopped) send(each, 'SIGCONT');
  };
};

const familyOf = async (pid: number): Promise<number[]> => {
  const all = await listProcesses();
  const family = [pid];
  for (const each of family)
    family.push(...all.filter(({ parent }) => parent === each).map((child) => child.pid));
  return family;
};

const listProcesses = (): Promise<readonly Running[]> =>
  process.platform === 'linux' ? listByFiles() : listByCommand();

const listByFiles = async (): Promise<readonly Running[]> => {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // A name may hold spaces and brackets: what follows the last one is state and parent.
      return { pid, parent: Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) };
    }),
  );
  return found.filter(({ parent }) => parent > 0);
};

const listByCommand = async (): Promise<readonly Running[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent }));
};
