import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { metrics } from '../metrics.ts';
import { type BatchedQuery, runBatched } from './batch-statement.ts';
import { followPrimary } from './find-primary.ts';
import { readPosition, replicaFirst } from './read-replica.ts';
import { requireOwnSession, type SessionSettings } from './require-own-session.ts';
import { type Connect, onePlan, replicaQuery, systemQuery, tenantQuery } from './run-statement.ts';
import type { Statement, TenantQuery } from './statement.ts';

/** `tenant` sees one merchant's rows only (row-level security); `system` is for claims and verifications. */
export type Database = {
  readonly tenant: TenantQuery;
  readonly batched: BatchedQuery;
  readonly system: <Values, Row>(
    statement: Statement<Values, Row>,
    values: Values,
  ) => Promise<Row[]>;
  readonly close: () => Promise<void>;
};

export type DatabaseSettings = {
  readonly connectionString: string;
  readonly tenantConnections: number;
  readonly systemConnections: number;
  readonly applicationName: string;
  /** How long a connection is waited for. */
  readonly connectMs?: number;
  /** How long a statement may take, waiting for a connection included. */
  readonly queryMs?: number;
  /** The same of one that may take minutes. */
  readonly longQueryMs?: number;
  /** After so long without traffic the system checks that the other end is there. */
  readonly keepAliveMs?: number;
  /** A standby that answers these statements where it knows all that the primary does. */
  readonly replica?: Replica | null;
};

type Replica = {
  readonly url: string;
  /** By their names. */
  readonly statements: ReadonlySet<string>;
};

// Timestamps come back as Date, bigint as bigint: an amount never loses a digit.
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? (BigInt as never)
      : pg.types.getTypeParser(oid, format as 'text'),
};

const defaultConnectMs = 5_000;
const defaultQueryMs = 9_500;
// Two million entries take seconds, and they grow for ever.
const defaultLongQueryMs = 15 * 60_000;
// The server ends a statement so much earlier; only a frozen or lost server takes longer.
const serverEndsEarlierMs = 1_000;
const defaultKeepAliveMs = 5_000;
// Longer than the pauses between jobs that run each minute: a new connection plans every statement
// again. With ten seconds the database of an idle service used 1.2 % of a core, with this 1.0.
const idleConnectionMs = 5 * 60_000;

const wholeTableConnections = 2;

// A statement's plan may have been made while a table was nearly empty, when a sequential scan was
// cheapest. Claims across merchants run on tables of every size; only verifications read whole tables.
const usesIndexes = { enable_seqscan: 'off' };

// Verifications and reports read whole tables, which no plan for all values would say.
const readsWholeTables = { plan_cache_mode: 'auto' };

const sessionSettings = (role: string, queryMs: number, more: Settings): SessionSettings => ({
  role,
  search_path: 'florin',
  timezone: 'UTC',
  statement_timeout: `${queryMs - serverEndsEarlierMs}`,
  lock_timeout: '5000',
  // One plan for all values: planning for each took longer than the statements themselves (2,836
  // creates a second became 4,239). A statement whose plan must follow its values says so.
  plan_cache_mode: onePlan,
  idle_in_transaction_session_timeout: '10000',
  // Many short statements at once: a parallel worker costs more than it saves.
  max_parallel_workers_per_gather: '0',
  // Nor does compiling a plan, where the server can.
  jit: 'off',
  ...more,
});

type Settings = Readonly<Record<string, string>>;

const optionsOf = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

export const openDatabase = (settings: DatabaseSettings, log: Log): Database => {
  const { queryMs = defaultQueryMs, longQueryMs = defaultLongQueryMs } = settings;
  const { open, close } = openPools(settings, log);
  const { tenantConnections, systemConnections, replica } = settings;
  const tenant = open('florin_tenant', tenantConnections, true, {}, queryMs);
  const batched = open('florin_tenant', tenantConnections, true, usesIndexes, queryMs);
  const work = open('florin_system', systemConnections, false, usesIndexes, queryMs);
  const tables = open('florin_system', wholeTableConnections, false, readsWholeTables, queryMs);
  const minutes = open('florin_system', 1, false, readsWholeTables, longQueryMs);
  const ofSystem = systemQuery(work, queryMs);
  const ofWholeTables = systemQuery(tables, queryMs);
  const ofMinutes = systemQuery(minutes, longQueryMs);
  const ofTenant = tenantQuery(tenant, queryMs);
  const readReplica = ({ url, statements }: Replica): TenantQuery => {
    const connect = open('florin_tenant', tenantConnections, true, {}, queryMs, url);
    return replicaFirst(
      {
        primary: ofTenant,
        replica: replicaQuery(connect, queryMs),
        position: async () => {
          const [position] = await ofSystem(readPosition, {});
          if (!position) throw new Error('The primary does not know how far it is.');
          return position;
        },
        ...{ statements, queryMs },
      },
      log,
    );
  };
  return {
    tenant: replica ? readReplica(replica) : ofTenant,
    batched: runBatched(tenantQuery(batched, queryMs)),
    system: (statement, values) => {
      if (statement.mayTakeMinutes) return ofMinutes(statement, values);
      return (statement.readsWholeTables ? ofWholeTables : ofSystem)(statement, values);
    },
    close,
  };
};

const openedPools = new Set<pg.Pool>();
const inAllPools = (count: (pool: pg.Pool) => number) => () =>
  [...openedPools].reduce((sum, pool) => sum + count(pool), 0);
metrics.read(
  'florin_database_waiting',
  inAllPools(({ waitingCount }) => waitingCount),
);
metrics.read(
  'florin_database_connections_in_use',
  inAllPools(({ totalCount, idleCount }) => totalCount - idleCount),
);

const openPools = (settings: DatabaseSettings, log: Log) => {
  const { connectMs = defaultConnectMs, keepAliveMs = defaultKeepAliveMs } = settings;
  let isClosing = false;
  const pools: pg.Pool[] = [];
  const following: pg.Pool[] = [];
  const primary = followPrimary(settings.connectionString, (url) => {
    log.warn({}, 'another server of DATABASE_URL is the primary now');
    for (const { options } of following) options.connectionString = url;
  });
  const open = (
    role: string,
    max: number,
    pipeline: boolean,
    more: Settings,
    queryMs: number,
    replicaUrl: string | null = null,
  ): Connect => {
    const wanted = sessionSettings(role, queryMs, more);
    const pool = new pg.Pool({
      connectionString: replicaUrl ?? primary.url(),
      application_name: settings.applicationName,
      options: optionsOf(wanted),
      onConnect: (client) => requireOwnSession(client, wanted, replicaUrl !== null),
      connectionTimeoutMillis: connectMs,
      query_timeout: queryMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      idleTimeoutMillis: idleConnectionMs,
      max,
      types,
      pipeline,
    });
    pool.on('error', (error) => {
      if (!isClosing) log.warn({ error: error.message }, 'database connection lost');
    });
    pool.on('connect', (client) => client.on('error', () => undefined));
    pools.push(pool);
    openedPools.add(pool);
    if (replicaUrl !== null) return (leftMs) => connectWithin(pool, leftMs());
    following.push(pool);
    return async (leftMs) => {
      const from = primary.url();
      try {
        return await connectWithin(pool, leftMs());
      } catch (error) {
        const late = sleep(leftMs(), false, { ref: false });
        if (!(await Promise.race([primary.hasMoved(from), late]))) throw error;
        return connectWithin(pool, leftMs());
      }
    };
  };
  const close = async (): Promise<void> => {
    isClosing = true;
    for (const pool of pools) openedPools.delete(pool);
    await Promise.all(pools.map((pool) => pool.end()));
  };
  return { open, close };
};

const connectWithin = (pool: pg.Pool, waitMs: number): Promise<pg.PoolClient> =>
  new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error('timeout exceeded when trying to connect'));
    }, waitMs);
    pool.connect().then(
      (client) => {
        clearTimeout(timer);
        if (isLate) client.release();
        else resolve(client);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
