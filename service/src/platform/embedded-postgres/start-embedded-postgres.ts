import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type Account, type AccountKind, chooseAccount } from './account.ts';
import { createCluster, giveTo, superuser } from './create-cluster.ts';
import { findClusterFolder, openSocketFolder } from './find-cluster-folder.ts';
import { type LaunchOrder, launchServer, type Server, type ServerExit } from './launch-server.ts';
import { findPackageFolder, prepareServerPrograms } from './prepare-server-programs.ts';
import { alreadyRunning, ownerMark, settlePreviousServer } from './settle-previous-server.ts';

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
  await settlePreviousServer(dataFolder, log);
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
