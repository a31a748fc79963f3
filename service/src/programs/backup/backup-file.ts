import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { TableRows } from './count-tables.ts';

/** What a backup holds, beside it in `<file>.json`: a restore compares. */
export type BackupContents = {
  readonly madeAt: string;
  readonly sha256: string;
  readonly tables: TableRows;
};

export const contentsPath = (file: string): string => `${file}.json`;

export const hashFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

/** Throws where the file is another than the one that was written. */
export const readContents = async (file: string): Promise<BackupContents> => {
  const text = await readFile(contentsPath(file), 'utf8').catch(() => {
    throw new Error(`${contentsPath(file)} is missing: it was written beside the backup.`);
  });
  const contents = JSON.parse(text) as BackupContents;
  const sha256 = await hashFile(file).catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  if (sha256 !== contents.sha256)
    throw new Error(`${file} is not the file that was written: its SHA-256 is another.`);
  return contents;
};
