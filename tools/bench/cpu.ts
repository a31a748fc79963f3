import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

type Process = { readonly pid: number; readonly parent: number; readonly cpuSeconds: number };

const readProcess = (pid: string): Process | null => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { pid: Number(pid), parent: Number(fields[1]), cpuSeconds: ticks / ticksPerSecond };
  } catch {
    return null;
  }
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
    .reduce((sum, { cpuSeconds: used }) => sum + used, 0);
};
