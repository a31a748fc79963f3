import { migrate } from '../../service/src/platform/database/migrate.ts';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import type { EmbeddedPostgres } from '../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { findDatabaseTraces } from '../harness/card-traces/find-database-traces.ts';
import { requireNoTraces } from '../harness/card-traces/require-no-traces.ts';
import {
  openEmptyDatabase,
  openSimulatorDatabase,
  openTestDatabase,
} from '../harness/database/open-test-database.ts';
import { startTestPostgres } from '../harness/database/start-test-postgres.ts';

type Settings = Readonly<Record<string, string>>;

/** Databases of a server of its own in this folder, or else of the server of the run. */
export const openRigDatabases = (
  folder: string,
  { ownPostgres, banksElsewhere, isEmpty }: DatabaseOptions,
): Promise<RigDatabases> =>
  ownPostgres ? openOwnPostgres(folder, ownPostgres, banksElsewhere) : openSharedDatabases(isEmpty);

type DatabaseOptions = {
  readonly ownPostgres: Settings | undefined;
  readonly banksElsewhere: boolean;
  /** Another release makes its tables. */
  readonly isEmpty: boolean;
};

export type RigDatabases = {
  readonly databaseUrl: string;
  readonly simulatorUrl: string;
  readonly startPostgres: (more: Settings) => Promise<void>;
  readonly killPostgres: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const refuse = async (): Promise<never> => {
  throw new Error('Other tests use this server: open the rig with ownPostgres.');
};

const openSharedDatabases = async (isEmpty: boolean): Promise<RigDatabases> => {
  const [database, simulator] = await Promise.all([
    isEmpty ? openEmptyDatabase() : openTestDatabase(),
    openSimulatorDatabase(),
  ]);
  return {
    databaseUrl: database.url,
    simulatorUrl: simulator.url,
    startPostgres: refuse,
    killPostgres: refuse,
    close: async () => {
      await Promise.all([database.close(), simulator.close()]);
    },
  };
};

/** A server that is killed and started again in the same place, as the start does it. */
const openOwnPostgres = async (
  folder: string,
  settings: Settings,
  banksElsewhere: boolean,
): Promise<RigDatabases> => {
  const launch = (more: Settings = {}): Promise<EmbeddedPostgres> =>
    startTestPostgres({
      folder,
      log: silentLog,
      settings: { max_connections: '60', ...settings, ...more },
    });
  let server = await launch();
  const urlOf = (name: string): string => server.connectionString(name);
  await ensureDatabase(urlOf('postgres'), 'florin');
  await ensureDatabase(urlOf('postgres'), 'florin_simulator');
  await migrate(urlOf('florin'));
  const banks = banksElsewhere ? await openSimulatorDatabase() : null;
  return {
    databaseUrl: urlOf('florin'),
    simulatorUrl: banks?.url ?? urlOf('florin_simulator'),
    startPostgres: async (more) => {
      server = await launch(more);
    },
    killPostgres: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    close: async () => {
      const urls = [urlOf('florin'), urlOf('florin_simulator')];
      const found = await Promise.all(urls.map(findDatabaseTraces));
      await server.stop();
      await banks?.close();
      requireNoTraces(found.flat());
    },
  };
};
