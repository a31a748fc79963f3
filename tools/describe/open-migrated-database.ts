import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../service/src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../service/src/platform/log.ts';

/** A database server of its own with every migration applied, for tools that read the catalogue. */
export const openMigratedDatabase = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-schema-'));
  const server = await startEmbeddedPostgres({ folder, settings: {}, log: silentLog });
  const url = server.connectionString('postgres');
  await migrate(url);
  return {
    url,
    close: async (): Promise<void> => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
