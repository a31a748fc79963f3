import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTraces } from './find-traces.ts';

/** PostgreSQL's own files are read through PostgreSQL, see in-database.ts. */
const skipped = new Set(['base', 'global', 'pg_wal', 'pg_xact', 'pg_multixact', 'pg_subtrans']);

/** Every file below a folder; answers the position of each trace. */
export const findFolderTraces = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : findFolderTraces(path);
      if (!entry.isFile()) return [];
      const inName = findTraces(entry.name).map((trace) => `${trace} in a file's name`);
      const inText = findTraces(await readFile(path, 'latin1'));
      return [...inName, ...inText.map((trace) => `${trace} in file ${path}`)];
    }),
  );
  return found.flat();
};
