import {
  access,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type Account, type AccountKind, canReach, chooseAccount } from './account.ts';
import { createCluster, giveTo, superuser } from './create-cluster.ts';
import { findPackageFolder, prepareServerPrograms } from './prepare-server-programs.ts';
import {
  alreadyRunning,
  type LaunchOrder,
  launchServer,
  ownerMark,
  type Server,
  type ServerExit,
  stopPreviousServer,
} from './server-process.ts';

const systemFolder = '/var/lib/florin';
const longestSocketFolder = 85;

/**
 * The folder of the cluster: the requested one, or, when the lent user cannot enter it (a checkout
 * under root's private home), a folder of the system that the requested one points to.
 */
const findClusterFolder = async (folder: string, account: Account): Promise<string> => {
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

type SocketFolder = { readonly path: string; readonly remove: () => Promise<void> };

/** A path of at most 107 bytes in the temporary folder; `socket` in the data folder points to it. */
const openSocketFolder = async (
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

/**
 * The database that a running start has in its data folder, for a second program; null: none runs.
 */
export const findRunningPostgres = async (
  folder: string,
  database: string,
): Promise<string | null> => {
  for (const clusterFolder of [join(folder, 'elsewhere'), folder])
    try {
      const sockets = await realpath(join(clusterFolder, 'socket'));
      await access(join(sockets, '.s.PGSQL.5432'));
      return `postgresql://${superuser}@localhost/${database}?host=${encodeURIComponent(sockets)}`;
    } catch {
      // Not there.
    }
  return null;
};

export type EmbeddedPostgres = {
  readonly pid: number;
  readonly socketFolder: string;
  readonly connectionString: (database: string) => string;
  readonly exited: Promise<ServerExit>;
  readonly stop: () => Promise<void>;
};

export type EmbeddedPostgresOptions = {
  readonly folder: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly log: Log;
  /** For tests: the folder of the programs, and how root may lend another user. */
  readonly packageFolder?: string;
  readonly accountKinds?: readonly AccountKind[];
};

/** Starts the PostgreSQL that is installed with Florin, reachable by a unix socket only. */
export const startEmbeddedPostgres = async (
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  const { folder, log } = options;
  const kinds = options.accountKinds ?? ['namespace', 'setuid'];
  const account = await chooseAccount(join(folder, 'data'), kinds);
  const clusterFolder = await findClusterFolder(folder, account);
  const dataFolder = join(clusterFolder, 'data');
  await stopPreviousServer(dataFolder, log);
  const packageFolder = options.packageFolder ?? findPackageFolder();
  const programs = await prepareServerPrograms(packageFolder, clusterFolder, account);
  await createCluster(clusterFolder, programs, account, options.settings?.fsync !== 'off');
  await giveToNewUser(account, dataFolder);
  const sockets = await openSocketFolder(clusterFolder, account, (path) => giveTo(account, path));
  const settings = {
    ...durableSettings(),
    ...options.settings,
    listen_addresses: '',
    unix_socket_directories: sockets.path,
  };
  const mark = ownerMark(process.pid);
  const order = { account, programs, dataFolder, settings, mark, log };
  const server = await launchPatiently(order);
  return {
    pid: server.pid,
    socketFolder: sockets.path,
    connectionString: (database) => connectionString(sockets.path, database),
    exited: server.exited,
    stop: async () => {
      await server.stop();
      await sockets.remove();
    },
  };
};

const connectionString = (socketFolder: string, database: string): string =>
  `postgresql://${superuser}@localhost/${encodeURIComponent(database)}` +
  `?host=${encodeURIComponent(socketFolder)}`;

const leastBuffersMb = 128;
const maxBuffersMb = 1_024;

// At most one GB of log between two checkpoints: a crash costs seconds of recovery.
const durableSettings = (): Readonly<Record<string, string>> => {
  const eighthMb = Math.floor(totalmem() / 2 ** 20 / 8);
  const buffersMb = Math.min(Math.max(eighthMb, leastBuffersMb), maxBuffersMb);
  return {
    shared_buffers: `${buffersMb}MB`,
    max_wal_size: '1GB',
    checkpoint_timeout: '5min',
    wal_compression: 'on',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Values of rows and statements are personal data: they are not logged.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  };
};

const giveToNewUser = async (account: Account, dataFolder: string): Promise<void> => {
  if (account.uid === undefined) return;
  const { uid } = await stat(dataFolder);
  if (uid !== account.uid) await giveTo(account, dataFolder);
};

const launchAttempts = 25;
const launchPauseMs = 200;

// After a crash the old server's children hold its shared memory until they notice.
const launchPatiently = async (order: LaunchOrder): Promise<Server> => {
  for (let attempt = 1; ; attempt += 1) {
    const launch = await launchServer(order);
    if (launch.outcome === 'ready') return launch.server;
    const isTaken = /"postmaster.pid" already exists/.test(launch.said);
    if (isTaken) throw await alreadyRunning(order.dataFolder);
    const isHeld = /still in use/.test(launch.said);
    if (!isHeld || attempt === launchAttempts) {
      throw new Error(`The database in ${order.dataFolder} does not start: ${launch.said}`);
    }
    await sleep(launchPauseMs);
  }
};
