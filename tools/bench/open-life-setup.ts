import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/ensure-database.ts';
import { startEmbeddedPostgres } from '../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { openReceiver } from '../../test/harness/open-receiver.ts';
import { cpuSeconds, findChild } from './cpu-seconds.ts';
import { startProduct } from './product.ts';

type Writes = { readonly query: string; readonly calls: number };

/**
 * The product with a database server that only it writes to, so that transactions can be counted, and a
 * receiver of its webhooks.
 */
export const openLifeSetup = async () => {
  const [folder, simulatorFolder] = [await tempFolder(), await tempFolder()];
  const settings = { shared_preload_libraries: 'pg_stat_statements' };
  const server = await startEmbeddedPostgres({ folder, settings, log: silentLog });
  const simulators = await startEmbeddedPostgres({ folder: simulatorFolder, log: silentLog });
  await ensureDatabase(server.connectionString('postgres'), 'florin');
  await ensureDatabase(simulators.connectionString('postgres'), 'florin_simulator');
  const databaseUrl = server.connectionString('florin');
  const product = await startProduct(
    {
      DATABASE_URL: databaseUrl,
      SIMULATOR_DATABASE_URL: simulators.connectionString('florin_simulator'),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    },
    server,
  );
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query('create extension pg_stat_statements schema public');
  const receiver = await openReceiver();
  const simulatorPid = findChild(product.pid, 'simulator/src/start.ts');
  return {
    product,
    receiver,
    cpu: () => ({
      service: cpuSeconds(product.pid, false),
      database: cpuSeconds(server.pid, true),
      simulator: cpuSeconds(simulatorPid, false) + cpuSeconds(simulators.pid, true),
    }),
    admin,
    /** Transactions that wrote: only they get a number. The question itself takes one. */
    countCommits: async (): Promise<number> =>
      Number((await admin.query('select pg_current_xact_id()::text as id')).rows[0].id),
    forgetStatements: () => admin.query('select pg_stat_statements_reset()'),
    /** What wrote since then, by how often. */
    listWrites: async (): Promise<readonly Writes[]> =>
      (
        await admin.query<Writes>(
          `select left(regexp_replace(query, '\\s+', ' ', 'g'), 120) as query, sum(calls)::int as calls
           from pg_stat_statements where wal_records > 0 group by 1 order by 2 desc limit 25`,
        )
      ).rows,
    close: async () => {
      await admin.end();
      await product.stop();
      await receiver.close();
      await Promise.all([server.stop(), simulators.stop()]);
      await Promise.all([folder, simulatorFolder].map((each) => rm(each, removal)));
    },
  };
};

const removal = { recursive: true, force: true };

const tempFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'florin-bench-'));

export type LifeSetup = Awaited<ReturnType<typeof openLifeSetup>>;
