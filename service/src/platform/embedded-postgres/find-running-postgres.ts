import { access, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { superuser } from './create-cluster.ts';

/**
 * The database that a running start has in its data folder, for a second program; null: none runs.
 */
export const findRunningPostgres = async (
  folder: string,
  database: string,
): Promise<string | null> => {
  for (const clusterFolder of [join(folder, 'elsewhere'), folder])
    try {
      const sockets = await realpath(join(clusterFolder, 'socket'));
      await access(join(sockets, '.s.PGSQL.5432'));
      return `postgresql://${superuser}@localhost/${database}?host=${encodeURIComponent(sockets)}`;
    } catch {
      // Not there.
    }
  return null;
};
