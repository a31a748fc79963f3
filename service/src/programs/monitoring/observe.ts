import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { environments } from '#kernel/environment.ts';
import { build } from '#platform/build.ts';
import { countCertificateDays } from '#platform/certificates.ts';
import { DatabaseUnavailable } from '#platform/database/database-unavailable.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { DueWork } from '#platform/jobs.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { openProbe } from '../wiring/health-routes.ts';
import { lookForWork } from '../wiring/look-for-work.ts';
import { compareClocks } from '../wiring/warn-of-clock.ts';

metrics.read('florin_process_resident_bytes', () => process.memoryUsage.rss());
metrics.read('florin_process_heap_used_bytes', () => process.memoryUsage().heapUsed);
metrics.read('florin_process_uptime_seconds', () => Math.floor(process.uptime()));
metrics.read('florin_process_cpu_seconds_total', () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
});

type InEnvironment = { readonly environment: string };

type Seen = {
  readonly cases:
    | readonly (InEnvironment & { kind: string; open: number; oldestSeconds: number })[]
    | null;
  readonly accounts:
    | readonly (InEnvironment & { differencePence: number; reconciledSeconds: number | null })[]
    | null;
  readonly verified_seconds: number | null;
  readonly faults: number | null;
  readonly standbys: number;
  readonly behind_bytes: number | null;
  readonly replay_seconds: number | null;
  readonly unconfirmed: number;
  readonly paused_merchants: number;
  readonly left_moves: number;
  readonly failing: readonly { job: string; seconds: number }[] | null;
  readonly opens: readonly (InEnvironment & { kind: string; seconds: number })[] | null;
};

/** What is wrong is few: open cases, two accounts, the last verification. */
const seeInstallation = statement<Record<never, never>, Seen>(
  'monitoring_see',
  sql()`
   with last as materialized (
     select extract(epoch from statement_timestamp() - verified_at)::float8 as verified_seconds,
       unbalanced_transactions + snapshots_differ + jsonb_array_length(broken_invariants) as faults
     from ledger_verification order by verified_at desc limit 1),
   opened as (
     select kind, coalesce(environment, 'NONE') as environment, count(*) as open,
       extract(epoch from statement_timestamp() - min(opened_at))::float8 as "oldestSeconds"
     from operator_case where status = 'OPEN' group by 1, 2),
   begun as (
     select 'payment' as kind, p.environment, min(a.submitted_at) as since from attempt_poll p
       join attempt a on a.merchant_id = p.merchant_id and a.environment = p.environment
         and a.attempt_id = p.attempt_id
     where a.status = 'PENDING' group by 2
     union all select 'refund', environment, min(created_at) from refund
     where status in ('INITIATED', 'PENDING') group by 2
     union all select 'payout', environment, min(updated_at) from payout
     where status = 'PROCESSING' group by 2),
   standby as materialized (select * from pg_stat_replication),
   carried as (
     select merchant_id from cell_move where status in ('PREPARING', 'COPYING', 'ARRIVING')
     union select (regexp_match(slot_name, '^florin_cell_([0-9a-f]{32})_'))[1]::uuid
     from pg_replication_slots where starts_with(slot_name::text, 'florin_cell_')
     -- of a table that was being copied, when the other cell was lost
     union select null from pg_replication_slots
     where slot_name ~ '^pg_[0-9]+_sync_[0-9]+_[0-9]+$' and not active
       and not exists (select from cell_move where status in ('PREPARING', 'COPYING', 'PAUSED')))
   select (select json_agg(opened) from opened) as cases,
     (select json_agg(json_build_object('environment', environment,
       'differencePence', coalesce(difference_pence, 0), 'reconciledSeconds',
       extract(epoch from statement_timestamp() - reconciled_at)::float8)) from bank_balance)
       as accounts,
     (select verified_seconds from last) as verified_seconds, (select faults from last) as faults,
     (select json_agg(json_build_object('kind', kind, 'environment', environment, 'seconds',
       greatest(0, extract(epoch from statement_timestamp() - since)::float8))) from begun) as opens,
     (select count(*)::int from standby) as standbys,
     (select max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 from standby)
       as behind_bytes,
     (select max(extract(epoch from replay_lag))::float8 from standby) as replay_seconds,
     (select json_agg(json_build_object('job', job, 'seconds', extract(epoch from
       statement_timestamp() - failing_since)::float8)) from failed_job) as failing,
     (select count(*)::int from cluster_epoch where confirmed_at is null) as unconfirmed,
     (select count(*)::int from cell_move where status = 'PAUSED') as paused_merchants,
     (select count(*)::int from carried where not exists (select from pg_locks l
       where l.locktype = 'advisory' and l.objsubid = 1 and (l.classid::bigint << 32) | l.objid::bigint
         = hashtextextended('florin move ' || carried.merchant_id, 0))) as left_moves`,
  { readsWholeTables: true },
);

type ObserveTools = Uses<'clock' | 'database' | 'log'>;

/** For so long a second scrape gets the numbers of the first. */
const keptMs = 5_000;

/**
 * Reads what all processes share when somebody asks for the numbers: so a dead worker is seen by the API. A
 * database that cannot be read is itself a number.
 */
export const openObserver = (tools: ObserveTools): (() => Promise<void>) => {
  metrics.set('florin_build_info', 1, build);
  const delay = monitorEventLoopDelay({ resolution: 50 });
  delay.enable();
  const takesWrites = openProbe(tools);
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  return async () => {
    setDelay(delay);
    countCertificateDays(tools.clock.now());
    if (performance.now() - readAtMs < keptMs) return;
    const seeing = async () => {
      const [isWritable] = await Promise.all([takesWrites(), observe(tools)]);
      metrics.set('florin_database_takes_writes', isWritable ? 1 : 0);
    };
    reading ??= seeing().finally(() => {
      readAtMs = performance.now();
      reading = null;
    });
    await reading;
  };
};

const setDelay = (delay: IntervalHistogram): void => {
  metrics.set('florin_event_loop_delay_seconds', delay.percentile(99) / 1e9);
  delay.reset();
};

const observe = async (tools: ObserveTools): Promise<void> => {
  const { database, log } = tools;
  const [due, seen, clocks] = await Promise.allSettled([
    lookForWork(database),
    database.system(seeInstallation, {}),
    compareClocks(tools),
  ]);
  const errors: readonly unknown[] = [due, seen, clocks].flatMap((one) =>
    one.status === 'rejected' ? [one.reason] : [],
  );
  // The numbers that are left stand as they were: that must not pass for quiet.
  metrics.set('florin_observation_faults', errors.length);
  for (const error of errors)
    log.warn({ error: (error as Error).message }, 'the installation could not be observed');
  // A statement that is wrong, after an upgrade, is no database that is away.
  const isReachable = !errors.some((error) => error instanceof DatabaseUnavailable);
  metrics.set('florin_database_reachable', isReachable ? 1 : 0);
  if (due.status === 'fulfilled') setOverdue(due.value);
  if (seen.status === 'fulfilled' && seen.value[0]) setSeen(seen.value[0]);
};

/** A look says in how many milliseconds; what is overdue is below 0. */
const setOverdue = (due: DueWork): void => {
  for (const [job, dueInMs] of Object.entries(due))
    metrics.set('florin_work_overdue_seconds', Math.max(0, -(dueInMs ?? 0)) / 1000, { job });
};

const setSeen = (seen: Seen): void => {
  metrics.clear('florin_cases_open');
  metrics.clear('florin_case_oldest_seconds');
  for (const { kind, environment, open, oldestSeconds } of seen.cases ?? []) {
    metrics.set('florin_cases_open', open, { kind, environment });
    metrics.set('florin_case_oldest_seconds', oldestSeconds, { kind, environment });
  }
  for (const { environment, differencePence, reconciledSeconds } of seen.accounts ?? []) {
    metrics.set('florin_account_difference_pence', differencePence, { environment });
    if (reconciledSeconds !== null)
      metrics.set('florin_account_reconciled_seconds_ago', reconciledSeconds, { environment });
  }
  if (seen.verified_seconds !== null)
    metrics.set('florin_books_verified_seconds_ago', seen.verified_seconds);
  metrics.set('florin_books_faults', seen.faults ?? 0);
  setOldest(seen.opens ?? []);
  setFailing(seen.failing ?? []);
  metrics.set('florin_database_epochs_unconfirmed', seen.unconfirmed);
  metrics.set('florin_merchants_paused', seen.paused_merchants);
  metrics.set('florin_merchant_moves_left', seen.left_moves);
  metrics.set('florin_database_standbys', seen.standbys);
  // Null without a standby, and for a role that may not read of it.
  metrics.set('florin_database_standby_behind_bytes', seen.behind_bytes ?? 0);
  if (seen.replay_seconds !== null)
    metrics.set('florin_database_replay_lag_seconds', seen.replay_seconds);
};

const setFailing = (failing: NonNullable<Seen['failing']>): void => {
  metrics.clear('florin_job_failing_seconds');
  for (const { job, seconds } of failing)
    metrics.set('florin_job_failing_seconds', seconds, { job });
};

/** 0 where nothing is open. */
const setOldest = (opens: NonNullable<Seen['opens']>): void => {
  for (const environment of environments)
    for (const kind of ['payment', 'refund', 'payout']) {
      const open = opens.find((one) => one.kind === kind && one.environment === environment);
      metrics.set('florin_oldest_open_seconds', open?.seconds ?? 0, { kind, environment });
    }
};
