import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CommandProcess } from '#platform/command.ts';
import { readSecret } from '#platform/settings.ts';
import { prepareDatabase, type Role } from './prepare-database.ts';

const use = `Use: florin.mjs set-up <folder> <https address that payers reach>

  Makes what the programs need before they start, in this folder and on the PostgreSQL of
  ADMIN_DATABASE_URL (or ADMIN_DATABASE_URL_FILE): keys, two roles with passwords, the database
  and its tables. What is there already stays, so it may be run again, and is after a new version.`;

/** Only its owner and a group read them: the group is the one that the programs run as. */
const fileMode = 0o640;
const ownersMode = 0o600;
const folderMode = 0o750;

/** The same after a second run, after one that was killed, and beside another or a running installation. */
export const setUp = async (
  [folder, publicUrl]: readonly string[],
  { settings, write }: CommandProcess,
): Promise<void> => {
  const adminUrl = readSecret(settings, 'ADMIN_DATABASE_URL');
  if (!folder || !publicUrl || !adminUrl) throw new Error(use);
  if (!isPublic(publicUrl)) throw new Error(`${publicUrl} is no https address.\n\n${use}`);
  const place = resolve(folder);
  await mkdir(place, { recursive: true, mode: folderMode });
  await keepFile(place, 'master-key', () => randomBytes(32).toString('base64'));
  await keepFile(place, 'metrics-token', () => randomBytes(32).toString('base64url'));
  const owner = await keepRole(place, 'owner-url', 'florin_owner', adminUrl, ownersMode);
  const program = await keepRole(place, 'database-url', 'florin_program', adminUrl);
  const applied = await prepareDatabase(adminUrl, owner, program);
  await keepFile(place, 'florin.env', () => environmentFile(place, publicUrl));
  await write(`${applied} migrations applied. Keys and settings are in ${place}: keep master-key
in a second place too, because nothing reads the secrets in the database without it.\n`);
};

const isPublic = (url: string): boolean =>
  URL.canParse(url) && new URL(url).protocol === 'https:' && new URL(url).pathname === '/';

/** What the file holds; a new one is there whole or not at all. */
const keepFile = async (
  folder: string,
  name: string,
  make: () => string,
  mode = fileMode,
): Promise<string> => {
  const path = join(folder, name);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${make()}\n`, { mode, flush: true });
  // Of two runs at once the first is kept, and both go on with it.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readFile(path, 'utf8')).trim();
};

/** A role on the servers of the administrator, with a password of its own. */
const keepRole = async (
  folder: string,
  name: string,
  role: string,
  adminUrl: string,
  mode = fileMode,
): Promise<Role> => {
  const make = (): string => {
    const own = new URL(adminUrl);
    own.username = role;
    own.password = randomBytes(24).toString('hex');
    own.pathname = '/florin';
    return own.href;
  };
  const url = await keepFile(folder, name, make, mode);
  const { username, password, pathname } = new URL(url);
  return { url, name: username, password, database: pathname.slice(1) };
};

const environmentFile = (folder: string, publicUrl: string): string =>
  `# Settings of all Florin programs on this machine (docs/generated/SETTINGS.md). No secret stands here.
PUBLIC_URL=${publicUrl.replace(/\/$/, '')}
HOST=127.0.0.1
TRUSTED_PROXIES=127.0.0.1
DATABASE_URL_FILE=${join(folder, 'database-url')}
FLORIN_MASTER_KEY_FILE=${join(folder, 'master-key')}
METRICS_TOKEN_FILE=${join(folder, 'metrics-token')}
FLORIN_DATA=/var/lib/florin
#PRODUCTION_BANK_RAIL=${join(folder, 'banks.json')}
#PRODUCTION_COLLECTING_ACCOUNT=200000 55779911 Pay Operator Ltd
#PRODUCTION_TRANSFER_FOLDER=/var/lib/florin/bank
#FLORIN_OPERATOR_MAIL=payments@example.com`;
