import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { findDatabaseTraces } from '../card-traces/find-database-traces.ts';
import { requireNoTraces } from '../card-traces/require-no-traces.ts';
import { withDatabase } from './with-database.ts';

/** A server with migrated databases that others are copied from. */
export type TestServer = {
  readonly url: string;
  readonly template: string;
  /** Without one a simulator makes its own tables. */
  readonly simulatorTemplate?: string;
  /** Where banks keep theirs, if not here: they know nothing of what happens to this one. */
  readonly ofSimulators?: TestServer;
};

export type TestDatabase = { readonly url: string; readonly close: () => Promise<void> };

/** A database of the test file's own, with every migration applied. */
export const openTestDatabase = (
  server: TestServer = inject('databaseServer'),
): Promise<TestDatabase> => createDatabase(server.url, server.template);

/** A database with nothing in it, for programs that make their own tables. */
export const openEmptyDatabase = (
  server: TestServer = inject('databaseServer'),
): Promise<TestDatabase> => createDatabase(server.url, 'template1');

/** The tables of a simulator, as it would make them itself. */
export const openSimulatorDatabase = (
  { ofSimulators, ...own }: TestServer = inject('databaseServer'),
): Promise<TestDatabase> => {
  const { url, simulatorTemplate = 'template1' } = ofSimulators ?? own;
  return createDatabase(url, simulatorTemplate);
};

// A copy of the files takes a third of the time of a copy through the log, even of an empty database.
const createDatabase = async (url: string, template: string): Promise<TestDatabase> => {
  const name = `florin_test_${randomBytes(8).toString('hex')}`;
  await retryWhileTemplateBusy(() =>
    run(url, `create database ${name} template ${template} strategy file_copy`),
  );
  const own = withDatabase(url, name);
  return {
    url: own,
    /** Fails the test that left a card number in it. */
    close: async () => {
      const found = await findDatabaseTraces(own);
      await run(url, `drop database if exists ${name} with (force)`);
      requireNoTraces(found);
    },
  };
};

const run = async (url: string, command: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(command);
  } finally {
    await client.end();
  }
};

const templateBusy = '55006';
const attempts = 100;
const pauseMs = 50;

// PostgreSQL cannot copy a database while a session, such as an autovacuum worker, is connected to it.
const retryWhileTemplateBusy = async (work: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== templateBusy || attempt === attempts) throw error;
      await sleep(pauseMs);
    }
  }
};
