import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '#platform/config.ts';
import { explainFailure } from './explain-failure.ts';

/** The folder of keys and of the own database, readable only by us. */
export const makeDataFolder = async ({ dataFolder }: Config): Promise<void> => {
  try {
    await mkdir(dirname(resolve(dataFolder)), { recursive: true, mode: 0o700 });
    await makeOne(dataFolder);
    await access(dataFolder, constants.W_OK);
  } catch (error) {
    throw explainFailure('FLORIN_DATA must name a folder that can be written to', error);
  }
};

// On its own: asked to create parents too, Node tries forever on a file system that allows none.
const makeOne = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!(await stat(folder).catch(() => null))?.isDirectory()) throw error;
  }
};
