import { access, constants, mkdtemp, readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
// What the servers of a whole run hold at once, many times over.
const neededBytes = 4 * 2 ** 30;

/**
 * A folder for the data of a database server, in memory where the system offers enough of it: a
 * database has eight hundred files, and making them on a disk took a fifth of the run's CPU.
 */
export const makeServerFolder = async (prefix: string): Promise<string> =>
  mkdtemp(join((await isMemoryUsable()) ? memory : tmpdir(), prefix));

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
