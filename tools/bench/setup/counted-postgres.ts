import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ensureDatabase } from '../../../service/src/platform/embedded-postgres/create-cluster.ts';
import { startEmbeddedPostgres } from '../../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../../service/src/platform/log.ts';
import { cpuSeconds } from './cpu-seconds.ts';

export type StatementCost = {
  readonly calls: number;
  /** Planning and execution as the clock sees it: with busy cores more than CPU. */
  readonly ms: number;
  readonly rows: number;
  readonly buffers: number;
  readonly walBytes: number;
};

export type DatabaseCounts = {
  /** Transactions that wrote: only they are flushed. */
  readonly commits: number;
  readonly walBytes: number;
  readonly statements: ReadonlyMap<string, StatementCost>;
};

/** A database server that only one program uses, which says what each of its statements costs. */
export const openCountedPostgres = async (database: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  // The server runs as another user where this one is root.
  const logFolder = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  await chmod(logFolder, 0o777);
  const settings = {
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_planning': 'on',
    logging_collector: 'on',
    log_directory: logFolder,
    log_filename: 'statements.log',
    log_file_mode: '0644',
    log_line_prefix: '@@%Q ',
    log_parameter_max_length: '0',
  };
  const server = await startEmbeddedPostgres({ folder, settings, log: silentLog });
  await ensureDatabase(server.connectionString('postgres'), database);
  const admin = new pg.Client({ connectionString: server.connectionString(database) });
  await admin.connect();
  await admin.query('create extension pg_stat_statements schema public');
  const names = new Map<string, string>();
  return {
    url: server.connectionString(database),
    server,
    admin,
    cpuSeconds: () => cpuSeconds(server.pid, true),
    /** While `work` runs, the server's log says under which name each statement was prepared. */
    learnNames: async (work: () => Promise<void>): Promise<void> => {
      await logStatements(admin, true);
      await work();
      await logStatements(admin, false);
      const log = await readFile(join(logFolder, 'statements.log'), 'utf8');
      for (const [, query = '', name = ''] of log.matchAll(executed)) names.set(query, name);
    },
    counts: async (): Promise<DatabaseCounts> => {
      const [at] = (await admin.query(writtenSoFar)).rows;
      const statements = new Map<string, StatementCost>();
      for (const row of (await admin.query(statementsSoFar)).rows) {
        const name = names.get(row.queryid) ?? row.query.replace(/\s+/g, ' ').trim().slice(0, 60);
        statements.set(name, plus(statements.get(name), row));
      }
      return { commits: Number(at.transactions), walBytes: Number(at.bytes), statements };
    },
    close: async () => {
      await admin.end();
      await server.stop();
      for (const each of [folder, logFolder]) await rm(each, { recursive: true, force: true });
    },
  };
};

const executed = /@@(-?\d+) LOG:\s+duration: [\d.]+ ms\s+execute ([^<:][^:]*): /g;

const logStatements = async (admin: pg.Client, on: boolean): Promise<void> => {
  await admin.query(`alter system set log_min_duration_statement = ${on ? 0 : -1}`);
  await admin.query('select pg_reload_conf()');
};

const writtenSoFar = `select pg_snapshot_xmax(pg_current_snapshot())::text as transactions,
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`;

const statementsSoFar = `select queryid::text, query, calls, rows, wal_bytes,
  total_exec_time + total_plan_time as ms, shared_blks_hit + shared_blks_read as buffers
  from pg_stat_statements where query not like '%pg_stat_statements%'`;

type Row = Readonly<Record<'calls' | 'rows' | 'wal_bytes' | 'ms' | 'buffers', string>>;

const plus = (sum: StatementCost | undefined, row: Row): StatementCost => ({
  calls: (sum?.calls ?? 0) + Number(row.calls),
  ms: (sum?.ms ?? 0) + Number(row.ms),
  rows: (sum?.rows ?? 0) + Number(row.rows),
  buffers: (sum?.buffers ?? 0) + Number(row.buffers),
  walBytes: (sum?.walBytes ?? 0) + Number(row.wal_bytes),
});
