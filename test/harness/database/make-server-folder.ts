import { access, constants, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
// What the servers of a whole run hold at once, many times over.
const neededBytes = 4 * 2 ** 30;

/**
 * A folder for the data of a database server, in memory where the system offers enough of it: a
 * database has eight hundred files, and making them on a disk took a fifth of the run's CPU.
 */
export const makeServerFolder = async (prefix: string): Promise<string> => {
  if (!(await isMemoryUsable())) return mkdtemp(join(tmpdir(), prefix));
  await removeAbandoned();
  return mkdtemp(join(memory, `${prefix}${process.pid}-`));
};

/** What a killed run left would fill the memory until the system is restarted. */
const removeAbandoned = async (): Promise<void> => {
  for (const name of await readdir(memory)) {
    const owner = /^florin-[a-z]+-(\d+)-\w{6}$/.exec(name)?.[1];
    if (owner === undefined || isRunning(Number(owner))) continue;
    await rm(join(memory, name), { recursive: true, force: true });
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is running too.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

// A server may run from a copy of its programs beside its data, so the folder must allow that.
const isMemoryUsable = async (): Promise<boolean> => {
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    const mounts = (await readFile('/proc/mounts', 'utf8'))
      .split('\n')
      .map((row) => row.split(' '));
    const [, , kind, options = ''] = mounts.findLast(([, path]) => path === memory) ?? [];
    return (
      kind === 'tmpfs' && !options.split(',').includes('noexec') && bavail * bsize >= neededBytes
    );
  } catch {
    return false;
  }
};
