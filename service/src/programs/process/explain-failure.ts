import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '#platform/config.ts';

// What the system says of a bad setting names no setting. Its words hold no value that is a secret.
const because = (sentence: string, error: unknown): Error => {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = message || code || 'unknown';
  return new Error(`${sentence}: ${why.split('\n')[0]}`, { cause: error });
};

/** The folder of keys and of the own database, which only we may read. */
export const makeDataFolder = async ({ dataFolder }: Config): Promise<void> => {
  try {
    await mkdir(dirname(resolve(dataFolder)), { recursive: true, mode: 0o700 });
    await makeOne(dataFolder);
    await access(dataFolder, constants.W_OK);
  } catch (error) {
    throw because('FLORIN_DATA must name a folder that can be written to', error);
  }
};

// By itself: asked to make parents too, Node tries for ever where a file system takes none.
const makeOne = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!(await stat(folder).catch(() => null))?.isDirectory()) throw error;
  }
};

export const namingDatabase = async <Value>(
  { databaseUrl }: Config,
  use: Promise<Value>,
): Promise<Value> => {
  try {
    return await use;
  } catch (error) {
    if (databaseUrl === null) throw error;
    throw because('DATABASE_URL must name a PostgreSQL 18 that can be used', error);
  }
};

const settingAtFault: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT must be free, and another program uses it',
  EACCES: 'PORT must be one that this user may listen on',
  EADDRNOTAVAIL: 'HOST must be an address of this machine',
  ENOTFOUND: 'HOST must be an address of this machine',
};

export const namingAddress = async <Value>(listening: Promise<Value>): Promise<Value> => {
  try {
    return await listening;
  } catch (error) {
    const sentence = settingAtFault[(error as NodeJS.ErrnoException).code ?? ''];
    throw sentence ? because(sentence, error) : error;
  }
};
