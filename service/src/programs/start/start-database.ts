import { join } from 'node:path';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { tryConnection } from '#platform/database/database-unavailable.ts';
import { findPrimary } from '#platform/database/find-primary.ts';
import { ensureDatabase } from '#platform/embedded-postgres/create-cluster.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#platform/embedded-postgres/start-embedded-postgres.ts';
import type { Log } from '#platform/log.ts';
import { namingDatabase } from '../process/explain-failure.ts';

const restartAfterMs = 100;

export type RunningDatabase = {
  readonly url: string;
  readonly simulatorUrl: string;
  readonly stop: () => Promise<void>;
};

/** The operator's own PostgreSQL, or one that this process runs and starts again when it dies. */
export const startDatabase = async (
  config: Config,
  tools: { readonly clock: Clock; readonly log: Log },
): Promise<RunningDatabase> => {
  if (config.databaseUrl) {
    await namingDatabase(config, tryConnection(config.databaseUrl));
    // Without a database of its own the simulator keeps its tables in its own schema.
    const simulatorUrl = config.simulatorDatabaseUrl ?? (await findPrimary(config.databaseUrl));
    return { url: config.databaseUrl, simulatorUrl, stop: async () => undefined };
  }
  const folder = join(config.dataFolder, 'postgres');
  let isStopping = false;
  let server: EmbeddedPostgres;
  const launch = async (): Promise<void> => {
    server = await startEmbeddedPostgres({ folder, log: tools.log });
    void server.exited.then(relaunch);
  };
  const relaunch = async (): Promise<void> => {
    while (!isStopping)
      try {
        tools.log.warn({}, 'the database ended and is started again');
        await tools.clock.sleep(restartAfterMs);
        if (!isStopping) await launch();
        return;
      } catch (error) {
        tools.log.error({ error: (error as Error).message }, 'the database does not start');
      }
  };
  await launch();
  const urlOf = (name: string): string => server.connectionString(name);
  await ensureDatabase(urlOf('postgres'), 'florin');
  await ensureDatabase(urlOf('postgres'), 'florin_simulator');
  return {
    url: urlOf('florin'),
    simulatorUrl: config.simulatorDatabaseUrl ?? urlOf('florin_simulator'),
    stop: async () => {
      isStopping = true;
      await server.stop();
    },
  };
};
