import { rm } from 'node:fs/promises';
import { findFolderTraces } from './card-traces/find-folder-traces.ts';
import { requireNoTraces } from './card-traces/require-no-traces.ts';

/** Removes a folder that programs under test wrote to; throws if one of its files holds a card number. */
export const discardFolder = async (folder: string): Promise<void> => {
  const found = await findFolderTraces(folder);
  await rm(folder, { recursive: true, force: true });
  requireNoTraces(found);
};
