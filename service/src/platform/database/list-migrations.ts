import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The migrations that this program was written for, in their order. */
export const listMigrations = async (): Promise<readonly string[]> =>
  (await readdir(fileURLToPath(migrationsFolder))).filter((name) => name.endsWith('.sql')).sort();

export const migrationsFolder = new URL('../../../migrations/', import.meta.url);
