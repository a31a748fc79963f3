import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ensureDatabase } from '../../../service/src/platform/embedded-postgres/create-cluster.ts';
import { startEmbeddedPostgres } from '../../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../../service/src/platform/log.ts';
import { openReceiver } from '../../../test/harness/open-receiver.ts';
import { cpuSeconds, findChild } from './cpu-seconds.ts';
import { startProduct } from './product.ts';

export type Transaction = {
  readonly atMs: number;
  /** The name of its prepared statement. */
  readonly name: string;
  /** Only a transaction that writes gets a number, and only it is flushed. */
  readonly writes: boolean;
};

/**
 * The product of a checkout with a database server that only it uses, whose log names every transaction, and
 * a receiver of its webhooks.
 */
export const openLifeSetup = async (checkout?: string) => {
  const [folder, simulatorFolder, logFolder] = await Promise.all([1, 2, 3].map(tempFolder));
  // The server runs as another user where this one is root.
  await chmod(logFolder ?? '', 0o777);
  const settings = {
    logging_collector: 'on',
    log_directory: logFolder ?? '',
    log_filename: logName,
    log_file_mode: '0644',
    log_line_prefix: `${lineMark}%n %x `,
    log_parameter_max_length: '0',
  };
  const server = await startEmbeddedPostgres({ folder: folder ?? '', settings, log: silentLog });
  const simulators = await startEmbeddedPostgres({ folder: simulatorFolder ?? '', log: silentLog });
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
    checkout,
  );
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
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
    logTransactions: async (on: boolean): Promise<void> => {
      await admin.query(`alter system set log_min_duration_statement = ${on ? 0 : -1}`);
      await admin.query('select pg_reload_conf()');
    },
    readTransactions: async () => readLog(await readFile(join(logFolder ?? '', logName), 'utf8')),
    close: async () => {
      await admin.end();
      await product.stop();
      await receiver.close();
      await Promise.all([server.stop(), simulators.stop()]);
      const removal = { recursive: true, force: true };
      for (const each of [folder, simulatorFolder, logFolder]) await rm(each ?? '', removal);
    },
  };
};

const logName = 'transactions.log';
const lineMark = '@@';
const executed = /^(\d+\.\d+) (\d+) LOG:\s+duration: [\d.]+ ms\s+execute ([^:]+): /;

/** Every statement of the product is a transaction by itself; `scope` only goes ahead of one. */
const readLog = (log: string): readonly Transaction[] =>
  log.split(lineMark).flatMap((entry) => {
    const [, seconds, number, name = ''] = executed.exec(entry) ?? [];
    if (!seconds || name === 'scope') return [];
    return [{ atMs: Number(seconds) * 1_000, name, writes: number !== '0' }];
  });

const tempFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'florin-bench-'));

export type LifeSetup = Awaited<ReturnType<typeof openLifeSetup>>;

export type Window = { readonly fromMs: number; readonly toMs: number };

export type LifeCounts = {
  /** How often each statement wrote, for one payment. */
  readonly writes: ReadonlyMap<string, number>;
  readonly commits: number;
  readonly shared: number;
  readonly reads: number;
};

/** Work of jobs that run now and then for all payments together. */
const sharedJobs = /_fold$|_prune|_touch$|^bank_message|^payout_|^outgoing_|^health_|^work_lease/;
const result = 'delivery_complete';
// A result is written a little after its webhook has arrived.
const resultWithinMs = 2_500;

/** What one payment costs, on average; what an idle product does anyway is taken off. */
export const countTransactions = (
  transactions: readonly Transaction[],
  lives: readonly Window[],
  idle: Window,
): LifeCounts => {
  const writes = new Map<string, number>();
  let [commits, shared, reads] = [0, 0, 0];
  const share = 1 / lives.length;
  const count = ({ name, writes: isWrite }: Transaction): void => {
    if (!isWrite) reads += share;
    else if (sharedJobs.test(name)) shared += share;
    else {
      commits += share;
      writes.set(name, (writes.get(name) ?? 0) + share);
    }
  };
  for (const life of lives) {
    for (const each of transactions.filter(within(life))) count(each);
    const after = { fromMs: life.toMs, toMs: life.toMs + resultWithinMs };
    const recorded = transactions.filter(within(after)).find(isResult);
    if (recorded) count(recorded);
  }
  const idleReads = transactions.filter((each) => !each.writes && within(idle)(each)).length;
  const lifeMs = lives.reduce((sum, life) => sum + durationOf(life), 0);
  reads -= (idleReads / durationOf(idle)) * lifeMs * share;
  return { writes, commits, shared, reads };
};

const within =
  ({ fromMs, toMs }: Window) =>
  ({ atMs }: Transaction): boolean =>
    atMs >= fromMs && atMs <= toMs;

const isResult = ({ name, writes }: Transaction): boolean => writes && name.startsWith(result);

const durationOf = ({ fromMs, toMs }: Window): number => toMs - fromMs;
