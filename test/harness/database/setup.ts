import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../../service/src/platform/database/migrate.ts';
import { ensureDatabase } from '../../../service/src/platform/embedded-postgres/create-cluster.ts';
import { silentLog } from '../../../service/src/platform/log.ts';
import { openDatabase as openSimulatorDatabase } from '../../../simulator/src/store/database.ts';
import { findDatabaseTraces } from '../card-traces/find-database-traces.ts';
import { requireNoTraces } from '../card-traces/require-no-traces.ts';
import { discardFolder } from '../discard-folder.ts';
import { makeServerFolder } from './make-server-folder.ts';
import type { TestServer } from './open-test-database.ts';
import { startTestPostgres } from './start-test-postgres.ts';
import { withDatabase } from './with-database.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to one of vitest.
  interface ProvidedContext {
    readonly databaseServer: TestServer;
  }
}

type OpenServer = {
  readonly url: string;
  readonly isOurs: boolean;
  readonly stop: () => Promise<void>;
};

/** One database server for the whole run, and the migrated databases that test files copy. */
export const setup = async (project: TestProject): Promise<void> => {
  const server = await openServer(process.env.TEST_DATABASE_URL);
  const template = `florin_template_${randomBytes(6).toString('hex')}`;
  const simulatorTemplate = `${template}_simulator`;
  stopAll = async () => {
    const found = server.isOurs ? await findTracesLeftBehind(server.url) : [];
    for (const name of [template, simulatorTemplate]) await dropTemplate(server.url, name);
    await server.stop();
    requireNoTraces(found);
  };
  await ensureDatabase(server.url, template);
  await migrate(withDatabase(server.url, template));
  await ensureDatabase(server.url, simulatorTemplate);
  await migrateSimulator(withDatabase(server.url, simulatorTemplate));
  project.provide('databaseServer', { url: server.url, template, simulatorTemplate });
};

const migrateSimulator = async (url: string): Promise<void> => {
  const database = openSimulatorDatabase(url, () => undefined);
  await database.ready;
  await database.close();
};

let stopAll: () => Promise<void> = async () => undefined;

export const teardown = (): Promise<void> =>
  stopAll().catch((error: unknown) => {
    // vitest prints what a teardown throws, and would still end with success.
    process.exitCode = 1;
    throw error;
  });

// The data is dropped after the run, so it need not survive a crash.
const unsafeFastSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'on',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  // Says what was committed (`test/budget`).
  wal_level: 'logical',
};

const openServer = async (givenUrl: string | undefined): Promise<OpenServer> => {
  if (givenUrl) return { url: givenUrl, isOurs: false, stop: async () => undefined };
  const folder = await makeServerFolder('florin-test-');
  const server = await startTestPostgres({
    folder,
    settings: unsafeFastSettings,
    log: silentLog,
  });
  return {
    url: server.connectionString('postgres'),
    isOurs: true,
    stop: async () => {
      await server.stop();
      await discardFolder(folder);
    },
  };
};

/** Checks the databases that no test dropped because it failed or was stopped. */
const findTracesLeftBehind = async (url: string): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where datallowconn and not datistemplate',
  );
  await client.end();
  const found = await Promise.all(
    rows.map(({ name }) => findDatabaseTraces(withDatabase(url, name))),
  );
  return found.flat();
};

const dropTemplate = async (url: string, template: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${template} with (force)`);
  await client.end();
};
