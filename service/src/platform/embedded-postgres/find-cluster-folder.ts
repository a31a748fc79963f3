import { chmod, lstat, mkdir, mkdtemp, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canReach } from './account.ts';

const systemFolder = '/var/lib/florin';
const longestSocketFolder = 85;

/**
 * The folder of the cluster: the requested one, or, when the lent user cannot enter it (a checkout
 * under root's private home), a folder of the system that the requested one points to.
 */
export const findClusterFolder = async (folder: string, account: Account): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const pointer = join(folder, 'elsewhere');
  const known = await realpath(pointer).catch(() => undefined);
  if (known) return known;
  const wanted = await realpath(folder);
  if (await canReach(account, wanted)) return wanted;
  if (await lstat(join(wanted, 'data')).catch(() => undefined)) {
    throw new Error(`PostgreSQL's user cannot reach ${wanted}: move the data to an open folder.`);
  }
  await mkdir(systemFolder, { recursive: true, mode: 0o755 });
  const clusterFolder = await mkdtemp(join(systemFolder, 'postgres-'));
  await chmod(clusterFolder, 0o711);
  await rm(pointer, { force: true });
  await symlink(clusterFolder, pointer);
  return clusterFolder;
};

export type SocketFolder = { readonly path: string; readonly remove: () => Promise<void> };

/** A path of at most 107 bytes in the temporary folder; `socket` in the data folder points to it. */
export const openSocketFolder = async (
  clusterFolder: string,
  account: Account,
  takeOver: (path: string) => Promise<void>,
): Promise<SocketFolder> => {
  const pointer = join(clusterFolder, 'socket');
  const previous = await readlink(pointer).catch(() => undefined);
  if (previous && (await isOurs(previous, account))) return socketFolder(previous, pointer);
  const path = await mkdtemp(join(await findTemporaryFolder(account), 'florin-'));
  await takeOver(path);
  await rm(pointer, { force: true });
  await symlink(path, pointer).catch(() => undefined);
  return socketFolder(path, pointer);
};

const socketFolder = (path: string, pointer: string): SocketFolder => ({
  path,
  remove: async () => {
    await rm(path, { recursive: true, force: true });
    if ((await readlink(pointer).catch(() => '')) === path) await rm(pointer, { force: true });
  },
});

// Another user could create a folder of this name there: only a private one of our own is reused.
const isOurs = async (path: string, account: Account): Promise<boolean> => {
  const found = await lstat(path).catch(() => undefined);
  const uid = account.uid ?? process.getuid?.();
  return Boolean(found?.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0);
};

const findTemporaryFolder = async (account: Account): Promise<string> => {
  const wanted = tmpdir();
  const isShort = Buffer.byteLength(wanted) <= longestSocketFolder - 'florin-XXXXXX/'.length;
  return isShort && (await canReach(account, wanted)) ? wanted : '/tmp';
};
