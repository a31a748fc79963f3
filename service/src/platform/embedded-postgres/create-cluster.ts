import { lstat, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Account, runAs } from './account.ts';
import { readProcess } from './server-process.ts';

const duplicateDatabase = '42P04';
const uniqueViolation = '23505';

/** Creates the database unless it exists, also when two programs start concurrently. */
export const ensureDatabase = async (connectionString: string, name: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== duplicateDatabase && code !== uniqueViolation) throw error;
  } finally {
    await client.end();
  }
};

/** Built beside its path and renamed: a killed start leaves no half cluster. */
export const createCluster = async (
  clusterFolder: string,
  programs: string,
  account: Account,
  isDurable: boolean,
): Promise<void> => {
  const dataFolder = join(clusterFolder, 'data');
  await removeDrafts(clusterFolder);
  if (await lstat(dataFolder).catch(() => undefined)) return;
  making += 1;
  try {
    await makeAndMove(clusterFolder, programs, account, isDurable);
  } finally {
    making -= 1;
  }
  if (isDurable) await syncFolder(clusterFolder);
};

export const superuser = 'florin';

// A draft under our own process id is of a dead start with the same id, or of another start of
// ours.
let making = 0;

const makeAndMove = async (
  clusterFolder: string,
  programs: string,
  account: Account,
  isDurable: boolean,
): Promise<void> => {
  const draft = await mkdtemp(join(clusterFolder, `draft-${process.pid}-`));
  await giveTo(account, draft);
  const made = await runAs(account, [
    join(programs, 'initdb'),
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    ...(await localeFlags(programs, account)),
    '--no-instructions',
    ...(isDurable ? [] : ['--no-sync']),
  ]);
  if (made.code !== 0) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`The database could not be made in ${clusterFolder}: ${made.output}`);
  }
  await moveIntoPosition(draft, join(clusterFolder, 'data'));
};

// PostgreSQL 17 brings a locale of its own; an older server folds letters by ICU.
const localeFlags = async (programs: string, account: Account): Promise<readonly string[]> => {
  const { output } = await runAs(account, [join(programs, 'postgres'), '--version']);
  return Number(/(\d+)\./.exec(output)?.[1]) >= 17
    ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale-provider=icu', '--icu-locale=und'];
};

export const giveTo = async (account: Account, folder: string): Promise<void> => {
  if (account.uid === undefined) return;
  const owner = `${account.uid}:${account.gid}`;
  const given = await runAs({ prefix: [] }, ['chown', '-R', owner, folder]);
  if (given.code !== 0) throw new Error(`${folder} cannot be given to its user: ${given.output}`);
};

// A second start at the same moment may have been first: its cluster is as good as ours.
const moveIntoPosition = async (draft: string, dataFolder: string): Promise<void> => {
  try {
    await rename(draft, dataFolder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
};

const removeDrafts = async (clusterFolder: string): Promise<void> => {
  for (const name of await readdir(clusterFolder)) {
    const owner = /^draft-(\d+)-/.exec(name)?.[1];
    if (owner === undefined || (await isAtWork(Number(owner)))) continue;
    // The killed start's initdb may still be writing here: the next start removes the rest.
    await rm(join(clusterFolder, name), { recursive: true, force: true }).catch(() => undefined);
  }
};

const isAtWork = async (pid: number): Promise<boolean> => {
  if (pid === process.pid) return making > 0;
  const found = await readProcess(pid);
  return found !== undefined && !found.isZombie;
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
};
