import { rm } from 'node:fs/promises';
import { tracesInFolder } from './card-traces/in-folder.ts';
import { requireNoTraces } from './card-traces/require-no-traces.ts';

/** The end of a folder that programs under test wrote to: none of its files may hold a card number. */
export const discardFolder = async (folder: string): Promise<void> => {
  const found = await tracesInFolder(folder);
  await rm(folder, { recursive: true, force: true });
  requireNoTraces(found);
};
