import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

type Process = {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
  /** Of children that have ended: a database starts and ends helpers all the time. */
  readonly endedSeconds: number;
};

/** CPU time that a process and (for a database) all its children have used, from /proc. */
export const cpuSeconds = (root: number, withChildren: boolean): number => {
  if (!withChildren) return readProcess(String(root))?.cpuSeconds ?? 0;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readProcess)
    .filter((found) => found !== null);
  const family = new Set([root]);
  for (let grown = true; grown; ) {
    const more = all.filter(({ pid, parent }) => family.has(parent) && !family.has(pid));
    for (const { pid } of more) family.add(pid);
    grown = more.length > 0;
  }
  return all
    .filter(({ pid }) => family.has(pid))
    .reduce((sum, { cpuSeconds: used, endedSeconds }) => sum + used + endedSeconds, 0);
};

const readProcess = (pid: string): Process | null => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const seconds = (first: number) =>
      (Number(fields[first]) + Number(fields[first + 1])) / ticksPerSecond;
    return {
      pid: Number(pid),
      parent: Number(fields[1]),
      cpuSeconds: seconds(11),
      endedSeconds: seconds(13),
    };
  } catch {
    return null;
  }
};

/** The child of a process that runs this program. */
export const findChild = (parent: number, program: string): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readProcess)
    .find((found) => found?.parent === parent && commandOf(found.pid).includes(program))?.pid ?? 0;

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
};
