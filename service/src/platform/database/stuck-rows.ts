import { limits } from '@florin/contract';
import { ofEachEnvironment, ofShare } from './of-each-environment.ts';
import type { Database } from './open-database.ts';
import { type Fragment, sql } from './sql.ts';
import { statement } from './statement.ts';

type StuckSource = {
  readonly kind: string;
  /** Tables, the row of the work as `w`. */
  readonly from: string;
  /** Of the work that is still to be done; with `dueAt` it leads to the rows by an index. */
  readonly where: string;
  readonly dueAt: string;
  readonly workId: string;
  /** Left out: the time at which it is due. */
  readonly since?: string;
  /** Left out: each row counts among those of its environment. */
  readonly share?: string;
  /** Left out: work of no merchant. */
  readonly merchantId?: string;
  readonly paymentRequestId?: string;
  readonly leasedUntil?: string;
  /** How often it was tried. Left out: it counts as stuck when it is overdue alone. */
  readonly attempts?: string;
  readonly lastError?: string;
  /** The longest pause before a next try, for which rows that are due later are read too. */
  readonly longestPause?: string;
  /** A number, or what is read of the row as `s`. */
  readonly maxAttempts?: number | string;
  /** Stuck as well when it has been open for so long. */
  readonly openHours?: number;
  /** Pauses and errors that stand in a row of `work_lease`. */
  readonly pausedAs?: string;
};

const overdue = `interval '${limits.stuckOverdueMinutes} minutes'`;

/**
 * Work of one kind that is overdue or has failed many times, as rows of `stuckColumns`. Of each kind the
 * first rows of each environment are read in the order in which they are due, so that a backlog costs no
 * more than that.
 */
export const stuckRows = (source: StuckSource): Fragment<'limit'> => {
  const { since = source.dueAt, maxAttempts = limits.stuckFailures, openHours } = source;
  const isOnlyOverdue = source.attempts === undefined && !source.pausedAs && !openHours;
  const until = isOnlyOverdue ? `- ${overdue}` : `+ interval '${source.longestPause ?? '0'}'`;
  const pause = pauseOf(source);
  return sql('limit')`
   (select '${source.kind}' as kind, s.merchant_id, s.environment, s.work_id,
      s.payment_request_id, s.since, ${pause.until} as paused_until,
      ${pause.leasedUntil} as leased_until, ${pause.attempts} as attempts,
      ${pause.lastError} as last_error
    from (${ofEachEnvironment(sql()`
      select ${source.merchantId ?? 'null::uuid'} as merchant_id, w.environment,
        ${source.workId}::text as work_id,
        ${source.paymentRequestId ?? 'null::uuid'} as payment_request_id, ${since} as since,
        ${source.dueAt} as due_at, ${source.leasedUntil ?? 'null::timestamptz'} as leased_until,
        ${source.attempts ?? '0'} as attempts, ${source.lastError ?? 'null::text'} as last_error
      from ${source.from}
      where ${source.share ?? ofShare('w')} and ${source.where}
        and ${source.dueAt} <= statement_timestamp() ${until}
      order by ${source.dueAt} limit ${limits.stuckScanMax}`)}) s${pause.join}
    where s.due_at <= statement_timestamp() - ${overdue} or ${pause.attempts} >= ${maxAttempts}${
      openHours ? ` or s.since <= statement_timestamp() - interval '${openHours} hours'` : ''
    }
    order by s.since limit :limit)`;
};

/** Work that has no row of its own until it fails: it is shown from its first failure. */
export const putOffRows = (kind: string, work: Work, paymentRequestId?: string) =>
  stuckRows({
    ...{ kind, merchantId: 'w.merchant_id', workId: 'w.subject_id', from: 'work_lease w' },
    where: `w.work = '${work}' and w.failures > 0`,
    ...{ dueAt: 'w.leased_until', leasedUntil: 'null::timestamptz', longestPause: '2 hours' },
    ...{ attempts: 'w.failures', lastError: 'w.last_error', maxAttempts: 1 },
    ...(paymentRequestId ? { paymentRequestId } : {}),
  });

const pauseOf = ({ pausedAs }: StuckSource) =>
  pausedAs
    ? {
        join: `
    left join work_lease l on l.merchant_id = s.merchant_id and l.environment = s.environment
      and l.subject_id = s.work_id::uuid and l.work = '${pausedAs}'`,
        until: 'case when l.failures > 0 then l.leased_until end',
        leasedUntil: 'case when l.failures = 0 then l.leased_until else s.leased_until end',
        attempts: 'coalesce(l.failures, 0)',
        lastError: 'l.last_error',
      }
    : {
        join: '',
        until: 's.due_at',
        leasedUntil: 's.leased_until',
        attempts: 's.attempts',
        lastError: 's.last_error',
      };

/** What a try is remembered by: no address of a mail, no byte that no column takes, no more than a line. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/\S+@\S+/g, '…')
    .replaceAll('\0', '\ufffd')
    .slice(0, limits.stuckErrorLength);

export type Work =
  | 'EXPIRE'
  | 'ABANDON'
  | 'ALERT'
  | 'POLL'
  | 'CAPTURE'
  | 'ANSWER'
  | 'HAND_OVER'
  | 'POLL_REFUND'
  | 'FILL_PAYOUT'
  | 'CLOSE_PAYOUT'
  | 'END_LINK'
  | 'READ_ACCOUNTS'
  | 'ERASE'
  | 'ERASE_PAYMENT'
  | 'SNAPSHOT'
  | 'MONEY_DAY'
  | 'FOLD'
  | 'NOTICE'
  | 'ENDPOINT_MAIL'
  | 'STATEMENT';

const firstPauseMs = 2_000;
const maxPauseMs = 60 * 60 * 1000;

type Finished = {
  readonly work: Work;
  readonly merchantIds: readonly string[];
  readonly environments: readonly string[];
  readonly subjectIds: readonly string[];
  readonly areDone: readonly boolean[];
  readonly errors: readonly (string | null)[];
  readonly longestPausesMs: readonly (number | null)[];
};

const finish = statement<Finished, never>(
  'work_lease_finish',
  sql('work', 'merchantIds', 'environments', 'subjectIds', 'areDone', 'errors', 'longestPausesMs')`
   with finished as materialized (
     select * from unnest(:merchantIds::uuid[], :environments::text[], :subjectIds::uuid[],
       :areDone::boolean[], :errors::text[], :longestPausesMs::float8[])
       as f (merchant_id, environment, subject_id, is_done, error, longest_ms)),
   done as (
     delete from work_lease l using finished f
     where f.is_done and l.merchant_id = f.merchant_id and l.environment = f.environment
       and l.subject_id = f.subject_id and l.work = :work)
   insert into work_lease as l (merchant_id, environment, subject_id, work, leased_until, failures,
     last_error)
   select merchant_id, environment, subject_id, :work,
     clock_timestamp() + ${firstPauseMs} * interval '1 millisecond', 1, error
   from finished where not is_done
   on conflict (merchant_id, environment, subject_id, work) do update set
     failures = l.failures + 1, last_error = excluded.last_error,
     leased_until = clock_timestamp() + interval '1 millisecond'
       * least(${maxPauseMs}, ${firstPauseMs} * 2.0 ^ least(l.failures, 20), (
         select f.longest_ms from finished f where f.merchant_id = l.merchant_id
           and f.environment = l.environment and f.subject_id = l.subject_id))`,
  { guardedBy: 'a repeat of failed work only makes the pause longer' },
);

const prune = statement<object, never>(
  'work_lease_prune',
  sql()`delete from work_lease where leased_until < statement_timestamp() - interval '1 day'`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);

type WorkedOn = {
  readonly merchant_id: string;
  readonly environment: string;
  readonly subjectId: string;
  /** Why it failed; null: it is done. */
  readonly error: string | null;
  readonly longestPauseMs?: number | null;
};

/** Ends the leases of what is done, and puts off what failed: longer each time. */
export const finishWork = async (
  database: Database,
  work: Work,
  items: readonly WorkedOn[],
): Promise<void> => {
  if (items.length === 0) return;
  await database.system(finish, {
    work,
    merchantIds: items.map(({ merchant_id }) => merchant_id),
    environments: items.map(({ environment }) => environment),
    subjectIds: items.map(({ subjectId }) => subjectId),
    areDone: items.map(({ error }) => error === null),
    errors: items.map(({ error }) => error),
    longestPausesMs: items.map(({ longestPauseMs = null }) => longestPauseMs),
  });
};

/** What was done by another way, such as a payment that came just before its expiry. */
export const pruneWorkLeases = async (database: Database): Promise<number> => {
  await database.system(prune, {});
  return 0;
};

/**
 * Ends the pause after a failure: the next try is due now. The lease of a call that runs stands elsewhere,
 * and what the try may do is decided as ever.
 */
export const hurryPausedWork = statement<
  {
    readonly merchantId: string;
    readonly environment: string;
    readonly workId: string;
    readonly work: Work;
  },
  { readonly subject_id: string }
>(
  'work_lease_hurry',
  sql('merchantId', 'environment', 'workId', 'work')`
   update work_lease set leased_until = least(leased_until, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment and subject_id = :workId::uuid
     and work = :work and failures > 0
   returning subject_id`,
  { guardedBy: 'a pause that is only made shorter; the version decides what is written' },
);

/** Whose work has failed a moment ago is left alone, so that it delays no other. */
export const isNotPutOff = (alias: string, subject: string, work: Work): string =>
  `not exists (select from work_lease l where l.merchant_id = ${alias}.merchant_id
    and l.environment = ${alias}.environment and l.subject_id = ${alias}.${subject}
    and l.work = '${work}' and l.leased_until > statement_timestamp())`;
