import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import {
  isFolderInUse,
  type RunningProcess,
  readProcess,
  sendSignal,
  waitFor,
} from './running-process.ts';

const partingLimitMs = 2_000;
const reapLimitMs = 3_000;
const stopSteps = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

/**
 * After a crash the file postmaster.pid may name a server that outlived its program, a dead one not
 * reaped yet, or an unrelated process with its id. Only a server whose own program still runs is
 * left alone.
 */
export const settlePreviousServer = async (dataFolder: string, log: Log): Promise<void> => {
  const lockFile = join(dataFolder, 'postmaster.pid');
  const pid = await readLockedPid(dataFolder);
  const found = pid > 0 ? await readProcess(pid) : undefined;
  if (!found) return;
  if (found.isZombie) return awaitBurial(pid, dataFolder, lockFile);
  if (!found.commandLine.includes(`-D ${dataFolder} `)) return dropLock(dataFolder, lockFile);
  // A program killed a moment ago holds its children until it has fully ended.
  if (!(await waitFor(() => isLeft(pid), partingLimitMs))) throw await alreadyRunning(dataFolder);
  log.warn({ pid }, 'stopping a database left over from a crash');
  await stopOrphan(pid);
  if ((await readProcess(pid))?.isZombie) await awaitBurial(pid, dataFolder, lockFile);
};

export const alreadyRunning = async (dataFolder: string): Promise<Error> => {
  const pid = await readLockedPid(dataFolder);
  const where = `${dataFolder} (database process ${pid})`;
  return new Error(`Florin already runs on ${where}: stop that one first.`);
};

const readLockedPid = async (dataFolder: string): Promise<number> => {
  const lock = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number(lock.split('\n')[0]);
};

export const ownerMark = (ownerPid: number): string => `cluster_name=florin-${ownerPid}`;

const isOrphan = (server: RunningProcess): boolean => {
  const owner = /cluster_name=florin-(\d+)/.exec(server.commandLine)?.[1];
  return owner !== undefined && Number(owner) !== server.parentPid;
};

const isLeft = async (pid: number): Promise<boolean> => {
  const found = await readProcess(pid);
  return !found || found.isZombie || isOrphan(found);
};

const isGone = async (pid: number): Promise<boolean> => {
  const found = await readProcess(pid);
  return !found || found.isZombie;
};

const stopOrphan = async (pid: number): Promise<void> => {
  for (const [signal, withinMs] of stopSteps) {
    sendSignal(pid, signal);
    if (await waitFor(() => isGone(pid), withinMs)) return;
  }
  throw new Error(`The database process ${pid} of an earlier run does not stop.`);
};

/** A dead process keeps its id until reaped, and PostgreSQL takes it for alive. */
const awaitBurial = async (pid: number, dataFolder: string, lockFile: string): Promise<void> => {
  const isBuried = async () => !(await readProcess(pid));
  // If process 1 does not reap (many containers), the file is removed once no child is working.
  if (!(await waitFor(isBuried, reapLimitMs))) await dropLock(dataFolder, lockFile);
};

const dropLock = async (dataFolder: string, lockFile: string): Promise<void> => {
  const isIdle = async () => !(await isFolderInUse(dataFolder));
  if (await waitFor(isIdle, reapLimitMs)) await rm(lockFile, { force: true });
};
