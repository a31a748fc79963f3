import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../service/src/platform/database/migrate.ts';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/ensure-database.ts';
import { startEmbeddedPostgres } from '../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { withDatabase } from './with-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly databaseServer: { readonly url: string; readonly template: string };
  }
}

type TestServer = { readonly url: string; readonly stop: () => Promise<void> };

let stopAll: () => Promise<void> = async () => undefined;

/** One database server for the whole run, and one migrated database that test files are copied from. */
export const setup = async (project: TestProject): Promise<void> => {
  const server = await openServer(process.env.TEST_DATABASE_URL);
  const template = `florin_template_${randomBytes(6).toString('hex')}`;
  stopAll = async () => {
    await dropTemplate(server.url, template);
    await server.stop();
  };
  await ensureDatabase(server.url, template);
  await migrate(withDatabase(server.url, template));
  project.provide('databaseServer', { url: server.url, template });
};

export const teardown = (): Promise<void> => stopAll();

// Nothing here outlives the run, so it need not survive the machine either.
const forgetfulSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'on',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '4GB',
};

const openServer = async (givenUrl: string | undefined): Promise<TestServer> => {
  if (givenUrl) return { url: givenUrl, stop: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'florin-test-'));
  const server = await startEmbeddedPostgres({
    folder,
    settings: forgetfulSettings,
    log: silentLog,
  });
  return {
    url: server.connectionString('postgres'),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const dropTemplate = async (url: string, template: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${template} with (force)`);
  await client.end();
};
